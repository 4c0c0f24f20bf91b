/** Ends a session, the user's own or another user's, and shows an error if that fails. */
import { type closeRemote, type forceRemote, getRemote, getRemoteList } from '#schema/remote/remote-session'
import { ApiError, isCancelled, request } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { queryClient, reportError } from '../kit/query.ts'

/** [§8] */
const inItsWords = ({ code, message, requestId }: ApiError) =>
  new ApiError(code, t('remote:closeFailed', { why: message }), undefined, requestId)

export async function endSession(
  call: typeof closeRemote | typeof forceRemote,
  sessionId: string,
): Promise<void> {
  try {
    await request(call, { sessionId }, new AbortController().signal)
  } catch (error) {
    if (!isCancelled(error)) reportError(error instanceof ApiError ? inItsWords(error) : error)
  }
  for (const read of [getRemote, getRemoteList])
    await queryClient.invalidateQueries({ queryKey: [read.name] })
}
