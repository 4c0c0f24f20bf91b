/** The name of a network or HTTP result in a progress report [docs/protocol.md: Failures]. */
import type { TaskFailure } from '#schema/kit/task-kind'

export class DownloadFailed extends Error {
  readonly failure: TaskFailure
  constructor(failure: TaskFailure, detail: string) {
    super(detail)
    this.failure = failure
  }
}

/** `retry`: a broken line or a busy server; null: continue with the body. */
export type StatusVerdict = { failure: TaskFailure; retry: boolean } | null

const byStatus: Readonly<Record<number, TaskFailure>> = {
  401: 'wrongCredentials',
  403: 'wrongCredentials',
  404: 'fileNotFound',
}

/** The result of an HTTP status; 410 means that the platform has ended the item, so there is nothing left to do. */
export function failureOfStatus(status: number): StatusVerdict {
  if (status === 200 || status === 206) return null
  if (status === 429 || status >= 500) return { failure: 'remoteConnectFailed', retry: true }
  return { failure: byStatus[status] ?? 'unknownError', retry: false }
}

/** The name of a failure to reach the file server. */
export function failureOfNetworkError(error: unknown): TaskFailure {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === 'getaddrinfo' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'domainError'
  if (code === 'ETIMEDOUT') return 'connectTimeout'
  return 'remoteConnectFailed'
}
