/** Every answer of the API. [§7] `code` 0 is success; lists answer `data.list` and `data.total`. */
export type Envelope<T = unknown> = {
  code: number
  data: T | null
  message: string
  /** The body field at fault, when one is. */
  field?: string
  /** Present on faults: what to name when asking for help; it is in the server's log. */
  requestId?: string
}
