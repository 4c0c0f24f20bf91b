/** Between a guard and those who run it. */
export type Transport = 'tcp' | 'tls' | 'ws'

/** `opened` is called when somebody has logged in; `since` is when the TCP connection was made. */
export type Arrival = { ip: string; transport: Transport; since?: number; opened?: () => void }

/** `G` is the guard: a parameter, because the guard itself is made of this. */
export type GuardHost<G> = {
  /** Too much unanswered in all: who waits for answers is not read. */
  readonly gate: { closed: boolean }
  /** Too much output waiting in all. */
  readonly output: { tight: boolean }
  /** No keepalive counts for longer; people set it. */
  readonly longestHeartbeat: { readonly ms: number }
  /** A well-formed PUBLISH of a logged-in peer; true: taken, Aedes need not see it. */
  take(guard: G, first: number, bytes: Buffer, from: number, to: number): boolean
  refused(guard: G, why: string): void
  /** A whole, well-formed CONNECT is about to pass. Whoever never sends one costs no client of Aedes. */
  connecting(guard: G): void
  /** What a PUBLISH of this one costs Aedes: every filter of the device is tried. */
  weigh(guard: G): number
}
