import type { Call } from '#schema/kit/call'
import { request } from '../api.ts'
import { ask } from '../confirm.tsx'
import { t } from '../i18n.ts'
import { queryClient, reportError } from '../query.ts'
import { toast } from '../toast.tsx'

type Deletion = {
  call: Call
  body: Record<string, unknown>
  /** Default: delete. */
  verb?: string
  title: string
  text: string
  done: string
  /** Lists to refresh afterwards. */
  refreshes: readonly Call[]
}

/** Asks for confirmation, deletes, and shows the result. Resolves to whether it was deleted. */
export async function deleteRow({
  call,
  body,
  verb,
  title,
  text,
  done,
  refreshes,
}: Deletion): Promise<boolean> {
  if (!(await ask({ title, text, verb: verb ?? t('kit:delete'), danger: true }))) return false
  try {
    await request(call, body)
    for (const read of refreshes) void queryClient.invalidateQueries({ queryKey: [read.name] })
    void toast('success', done)
    return true
  } catch (error) {
    reportError(error)
    return false
  }
}
