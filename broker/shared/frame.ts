/** The format of messages between brokers: a JSON header, and the unchanged payload. */

/** The fields of a packet that Aedes needs to deliver it. */
export type Carried = {
  cmd: 'publish'
  topic: string
  payload: Buffer
  qos: 0 | 1 | 2
  retain: boolean
  dup: boolean
  brokerId?: string
  brokerCounter?: number
  clientId?: string
  nl?: boolean
}

export type Notice =
  /** The filters that a broker wants or no longer wants; to be answered with `heard`. */
  | { kind: 'listen'; from: string; turn: number; more: string[]; less: string[] }
  | { kind: 'heard'; from: string; turn: number }
  /** The filters of this broker must be read again: it has started, or was disconnected. */
  | { kind: 'reset'; from: string }
  | { kind: 'gone'; from: string }
  | { kind: 'message'; from: string; packet: Omit<Carried, 'payload'> }

export function pack(notice: Notice, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.from(JSON.stringify(notice))
  const frame = Buffer.allocUnsafe(4 + head.length + payload.length)
  frame.writeUInt32BE(head.length)
  head.copy(frame, 4)
  payload.copy(frame, 4 + head.length)
  return frame
}

/**
 * Not validated: it was written by another broker of the same version, and anyone else who can write to Redis can do
 * anything.
 */
export function unpack(frame: Buffer): { notice: Notice; payload: Buffer } {
  const end = 4 + frame.readUInt32BE(0)
  return { notice: JSON.parse(frame.toString('utf8', 4, end)) as Notice, payload: frame.subarray(end) }
}
