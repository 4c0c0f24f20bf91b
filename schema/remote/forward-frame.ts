/** What goes over the WebSocket of one forwarded TCP connection: binary frames are its bytes, the text `end` its half close. */

export const FORWARD_PATH = '/remote/forward'
/** The subprotocol; beside it the ticket is named, as for terminals. */
export const FORWARD_PROTOCOL = 'forward'
export const FORWARD_END = 'end'

/** Why a WebSocket of a session was closed. */
export const closeCodes = {
  /** Both sides have ended. */
  done: 1000,
  /** The TCP connection broke off. */
  broken: 4000,
  /** The session is over; getRemote says why. */
  sessionEnded: 4001,
  malformed: 4002,
  /** The device could not open the connection: nothing listens there, or there are too many. */
  unreachable: 4003,
  /** The tunnel broke; the device is asked to dig it again. */
  interrupted: 4005,
  /** Who watches a terminal did not take what it shows. */
  tooSlow: 4004,
  /** Another page has joined the shell that this one showed. */
  takenOver: 4006,
} as const
