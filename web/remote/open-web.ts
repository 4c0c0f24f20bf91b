/** Opens the web page of a session in a separate window without access to the console. */
import { getRemoteTicket } from '#schema/remote/remote-session'
import { request } from '../kit/api.ts'
import { reportError } from '../kit/query.ts'
import { writeCookie } from '../kit/session.ts'
import type { Session } from './remote-use.ts'

export async function openWeb({ sessionId, host, port }: Session): Promise<void> {
  // Opened at once, because a browser allows it only as the answer to a click.
  const opened = window.open('about:blank', '_blank')
  if (opened) opened.opener = null
  try {
    const { url } = await request(getRemoteTicket, { sessionId }, new AbortController().signal)
    // [§3 Client-side stored values] What is looked at; nothing reads them to decide where a request goes.
    writeCookie('device_ip', host)
    writeCookie('device_port', String(port))
    if (url && opened) opened.location.replace(url)
    else if (url) location.assign(url)
  } catch (error) {
    opened?.close()
    reportError(error)
  }
}
