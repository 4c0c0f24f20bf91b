/** The WebSocket protocol of a terminal: text frames are the messages below, binary frames are terminal data. */
import { z } from 'zod'

export const TERMINAL_PATH = '/remote/terminal'
/** The subprotocol; the ticket is sent as a second one, because a browser cannot send it as a header. */
export const TERMINAL_PROTOCOL = 'terminal'
/** Flow control window: maximum bytes sent to the browser that it has not acknowledged as shown. */
export const UNSHOWN_MAX = 256 * 1024

const columns = z.int().min(2).max(500)
const rows = z.int().min(1).max(300)

/** From the browser. */
export const terminalAsk = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('login'),
    username: z.string().min(1).max(64),
    password: z.string().max(256),
    columns,
    rows,
  }),
  z.object({ t: z.literal('size'), columns, rows }),
  z.object({
    t: z.literal('shown'),
    bytes: z
      .int()
      .min(1)
      .max(UNSHOWN_MAX * 2),
  }),
])
export type TerminalAsk = z.infer<typeof terminalAsk>

/** Why there is no shell. */
export const terminalFaults = ['password', 'unreachable', 'failed', 'notRecorded', 'recordingFull'] as const
export type TerminalFault = (typeof terminalFaults)[number]
export type RecordingFault = Extract<TerminalFault, 'notRecorded' | 'recordingFull'>

/** To the browser. */
export type TerminalSaid =
  | { t: 'open'; recorded: boolean }
  /** Recording has stopped: the limit is reached, or the file store is not writable. */
  | { t: 'unrecorded'; why: RecordingFault }
  | { t: 'refused'; why: TerminalFault }
  | { t: 'ended' }
  /** Sent to the terminal's user: the current watchers. */
  | { t: 'watchers'; names: string[] }
  /** Sent to watchers: the size of the terminal from now on. */
  | { t: 'size'; columns: number; rows: number }
