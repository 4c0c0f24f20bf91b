/** Messages about requests that wait for the decision of this user; loaded after the page, which does not need them. */
import { remoteApprovePermission } from '#schema/remote/access-pages'
import { taskApprovePermission } from '#schema/task/task-pages'
import { loadWords } from '../kit/i18n.ts'
import { can } from '../kit/session.ts'
import { AccessNotice } from '../remote/access-notice.tsx'
import { ApprovalNotice } from './approval-notice.tsx'

function Notices() {
  return (
    <>
      {can(remoteApprovePermission) ? <AccessNotice /> : null}
      {can(taskApprovePermission) ? <ApprovalNotice /> : null}
    </>
  )
}

/** With their texts, which no page has loaded. */
export async function load() {
  await loadWords(['access', 'rollout'])
  return { default: Notices }
}
