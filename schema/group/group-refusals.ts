/** Groups and n2n servers: 200–219, 223. */
import { refusal } from '../kit/refusal.ts'

export const groupRefusals = {
  groupNameTaken: refusal(200, 'group:refusal.groupNameTaken'),
  remoteAccountTaken: refusal(201, 'group:refusal.remoteAccountTaken'),
  groupHasDevices: refusal(202, 'group:refusal.groupHasDevices'),
  groupHasGroups: refusal(203, 'group:refusal.groupHasGroups'),
  groupIsDefault: refusal(204, 'group:remove.isDefault'),
  groupTooDeep: refusal(205, 'group:refusal.groupTooDeep'),
  groupIntoItself: refusal(206, 'group:refusal.groupIntoItself'),
  groupCustomerStays: refusal(207, 'group:refusal.groupCustomerStays'),
  groupLevelWrong: refusal(208, 'group:refusal.groupLevelWrong'),
  groupIsProject: refusal(209, 'group:refusal.groupIsProject'),
  n2nPortTaken: refusal(210, 'group:refusal.n2nPortTaken'),
  n2nServerInUse: refusal(211, 'group:refusal.n2nServerInUse'),
  n2nPortOther: refusal(212, 'group:refusal.n2nPortOther'),
  remoteNeedsPassword: refusal(213, 'group:refusal.remoteNeedsPassword'),
  groupNoCustomer: refusal(214, 'people:refusal.customerRequired'),
  defaultGroupStays: refusal(215, 'group:move.isDefault'),
  remoteIpNotHost: refusal(216, 'group:refusal.remoteIpNotHost'),
  remoteAccountNone: refusal(217, 'group:refusal.remoteAccountNone'),
  remoteServerNone: refusal(218, 'group:refusal.remoteServerNone'),
  groupIsLast: refusal(219, 'group:refusal.groupIsLast'),
  groupNeedsParent: refusal(223, 'group:refusal.groupNeedsParent'),
}
