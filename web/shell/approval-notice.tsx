/** Tells who may approve tasks as the second person that one waits. */
import { getAwaitedApprovals } from '#schema/task/task-approval'
import { UNKNOWN } from '../kit/format.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { useCall } from '../kit/query.ts'
import { useRequestNotices } from '../kit/request-notices.tsx'
import { taskPath } from '../task/task-kinds.ts'

const REFRESH_S = 20

function ApprovalNotice() {
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

/** With its texts, which no page has loaded. */
export async function load() {
  await loadWords(['rollout'])
  return { default: ApprovalNotice }
}
