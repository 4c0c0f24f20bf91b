/** Tells who may approve tasks as the second person that one waits. */
import { getAwaitedApprovals } from '#schema/task/task-approval'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { useCall } from '../kit/query.ts'
import { useRequestNotices } from '../kit/request-notices.tsx'
import { taskPath } from '../task/task-kinds.ts'

const REFRESH_S = 20

export function ApprovalNotice() {
  const { data } = useCall(getAwaitedApprovals, {}, { refreshS: REFRESH_S })
  useRequestNotices(
    data?.list.map(({ taskId, name, createdBy }) => ({
      id: `approval:${taskId}`,
      title: t('rollout:approval.notice', { who: nameText(createdBy) ?? UNKNOWN, name }),
      look: t('rollout:approval.look'),
      path: taskPath({ taskId }),
    })),
  )
  return null
}
