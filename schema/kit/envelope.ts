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
