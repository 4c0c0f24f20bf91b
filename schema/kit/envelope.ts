/** Every response of the API. [§7] `code` 0 is success; lists have `data.list` and `data.total`. */
export type Envelope<T = unknown> = {
  code: number
  data: T | null
  message: string
  /** The invalid body field, if any. */
  field?: string
  /** Present on faults: the id to mention when asking for help; it is in the server's log. */
  requestId?: string
}

/**
 * The console chooses the ids of its requests, so that one without a response has an id that can be looked for in the
 * operation log. Anything but a random UUID is replaced by the server.
 */
export const REQUEST_ID_HEADER = 'x-request-id'
