/**
 * What a device's hello means for its items: proof that they are done, that they failed, or a reason to ask.
 */
import { kindNamed } from '#infra/task-kinds'
import { endReason } from '#schema/task/end-reason'
import { arrived, helloMeans } from '#schema/task/task'
import {
  type BatchState,
  type DeviceFacts,
  endItem,
  go,
  type ItemFacts,
  isActive,
} from '../inbox/batch-state.ts'
import { carrierOf } from './carriers.ts'

/** null: the hello neither proves nor refutes it, so the device is asked. */
function proven(item: ItemFacts, device: DeviceFacts, rebooted: boolean): boolean | null {
  switch (kindNamed(item.kind).done) {
    case 'version':
      return arrived(item, device)
    case 'newBoot':
      return rebooted
    case 'configHash':
      // On trial the device has the target already, but it is not confirmed.
      if (device.hello?.payload.config?.pending) return null
      return item.targetHash !== null && item.targetHash === device.configHash
    case 'item':
      return device.configItem === item.id
    case 'reply':
      return null
  }
}

/** Asks what the device knows; if the item was called back, the call is repeated first. */
function askAgain(state: BatchState, { sn }: DeviceFacts, item: ItemFacts): void {
  const { ask, callBack } = carrierOf(item.kind)
  const to = { id: item.id, sn }
  if (item.sending === 'withdrawing' && callBack) state.outgoing.push(callBack(to))
  // The message may not have reached it: only then may `unknown` lead to sending it again.
  else if (item.step === 'created' || item.step === 'sent') go(item, 'ask')
  state.outgoing.push(ask(to))
}

export function applyHelloToItem(state: BatchState, device: DeviceFacts, item: ItemFacts, at: Date): void {
  if (item.outcome !== null) {
    // It ended recently without the device's knowledge: the message is repeated, because the first may have
    // been lost.
    const word = carrierOf(item.kind).callBack?.({ id: item.id, sn: device.sn })
    if (word && item.outcome !== 'done' && item.step !== 'upgrading') state.outgoing.push(word)
    return
  }
  if (!isActive(item)) return
  const rebooted = item.fromBootId !== device.bootId
  if (item.sending === 'soaking') {
    if (rebooted)
      endItem(state, item, at, {
        outcome: 'failed',
        failure: 'upgradeFailed',
        detail: endReason('soakReboot'),
      })
    return
  }
  const { done } = kindNamed(item.kind)
  const proof = proven(item, device, rebooted)
  const judged = proof === null ? 'ask' : helloMeans(item.step, { arrived: proof, rebooted })
  // A device that rolls a configuration back when it boots reports the reason itself: it was asked to, or lost power.
  const means = judged === 'failed' && done === 'configHash' ? 'ask' : judged
  if (means === 'done') endItem(state, item, at, { outcome: 'done' })
  if (means === 'failed')
    endItem(state, item, at, {
      outcome: 'failed',
      failure: 'upgradeFailed',
      detail:
        done === 'item'
          ? endReason('backWithoutFile')
          : endReason(device.firmware === null ? 'backUnknown' : `backWith:${device.firmware}`),
    })
  if (means === 'ask') askAgain(state, device, item)
}
