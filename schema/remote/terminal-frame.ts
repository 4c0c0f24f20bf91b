/** The WebSocket protocol of a terminal: text frames are the messages below, binary frames are terminal data. */
import { z } from 'zod'

export const TERMINAL_PATH = '/remote/terminal'
/** The subprotocol; the ticket is sent as a second one, because a browser cannot send it as a header. */
export const TERMINAL_PROTOCOL = 'terminal'
/** Flow control window: maximum bytes sent to the browser that it has not acknowledged as shown. */
export const UNSHOWN_MAX = 256 * 1024
/** Output of a shell without a page, for the page that joins it. */
export const SCROLLBACK_BYTES = 256 * 1024
/** Shells of one session; each is a connection of its tunnel. */
export const SHELLS_MAX = 8

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
  /** Goes on with a shell of this session; `from`: what the page has of it, in bytes since its beginning. */
  z.object({ t: z.literal('join'), shell: z.uuid(), from: z.int().min(0), columns, rows }),
  /** Ends the shell. Closing the WebSocket leaves it for who joins it later. */
  z.object({ t: z.literal('end') }),
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
export const terminalFaults = [
  'password',
  'unreachable',
  'failed',
  'notRecorded',
  'recordingFull',
  /** The shell to join is no longer there. */
  'gone',
  /** There are `SHELLS_MAX` already. */
  'most',
] as const
export type TerminalFault = (typeof terminalFaults)[number]
export type RecordingFault = Extract<TerminalFault, 'notRecorded' | 'recordingFull'>

/** To the browser. */
export type TerminalSaid =
  /** The bytes that follow begin at `from`, and were shown to a page up to `seen`: questions in them are answered already. */
  | { t: 'open'; recorded: boolean; shell: string; from: number; seen: number }
  /** From now on nothing is recorded: the limit is reached, or the disk is full. */
  | { t: 'unrecorded'; why: RecordingFault }
  | { t: 'refused'; why: TerminalFault }
  | { t: 'ended' }
  /** Sent to the terminal's user: the current watchers. */
  | { t: 'watchers'; names: string[] }
  /** Sent to watchers: the size of the terminal from now on. */
  | { t: 'size'; columns: number; rows: number }
