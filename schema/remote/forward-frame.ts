/**
 * The WebSocket protocol of a forwarded TCP connection: binary frames are its bytes, the text `end` is a half close.
 */

export const FORWARD_PATH = '/remote/forward'
/** The subprotocol; the ticket is sent as a second one, as for terminals. */
export const FORWARD_PROTOCOL = 'forward'
export const FORWARD_END = 'end'

/** Close codes of a session's WebSockets. */
export const closeCodes = {
  /** Both sides have ended. */
  done: 1000,
  /** The TCP connection broke off. */
  broken: 4000,
  /** The session is over; getRemote says why. */
  sessionEnded: 4001,
  malformed: 4002,
  /** The device could not open the connection: nothing listens on that port, or there are too many connections. */
  unreachable: 4003,
  /** The tunnel broke; the device is asked to open it again. */
  interrupted: 4005,
  /** A watcher of a terminal did not read its output fast enough. */
  tooSlow: 4004,
  /** Another page has joined the shell that this one showed. */
  takenOver: 4006,
} as const
