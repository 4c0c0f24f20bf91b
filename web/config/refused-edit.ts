/** What the device refused, while the edit that it refused is still in the draft. */
import type { getDeviceConfig } from '#schema/config/device-config'
import type { ReplyOf } from '#schema/kit/call'

type Config = Pick<ReplyOf<typeof getDeviceConfig>, 'fault'> & {
  pages: readonly { name: string; changed: readonly string[] }[]
}

/** `path`: null where no field of the page has it. */
export function refusedEdit(
  { fault, pages }: Config,
  page: string,
): { path: string | null; reason: string } | null {
  if (fault?.page !== page) return null
  const changed = pages.find(({ name }) => name === page)?.changed ?? []
  const { path, reason } = fault
  // Once it is discarded or edited back, the value shown is not the one that was refused.
  const left = path === null ? changed.length > 0 : changed.includes(path.split('.')[0] ?? '')
  return left ? { path, reason } : null
}
