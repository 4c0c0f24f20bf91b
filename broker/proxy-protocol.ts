/**
 * The PROXY protocol of HAProxy, versions 1 and 2: how a load balancer that forwards bytes unchanged tells the client's address.
 * https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt
 */
import { isIP, type Socket } from 'node:net'
import { plain } from './plain-address.ts'

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
/** Including CR LF [section 2.1]. */
const LINE_MAX = 107
/** Addresses and a few fields that we skip; real load balancers send far less. */
const BINARY_MAX = 4096
const [LOCAL, TCP4, TCP6] = [0x20, 0x11, 0x21]

/** `ip` is null if the connection is the load balancer's own (a health check) or the address is unknown. */
export type Header = { ip: string | null; bytes: number } | 'incomplete' | 'fault'

function readLine(bytes: Buffer): Header {
  const end = bytes.indexOf('\r\n')
  if (end === -1) return bytes.length < LINE_MAX ? 'incomplete' : 'fault'
  if (end + 2 > LINE_MAX) return 'fault'
  const [, family, from = '', to = '', ...ports] = bytes.toString('latin1', 0, end).split(' ')
  if (family === 'UNKNOWN') return { ip: null, bytes: end + 2 }
  const version = family === 'TCP4' ? 4 : family === 'TCP6' ? 6 : 0
  const right = version !== 0 && isIP(from) === version && isIP(to) === version && ports.length === 2
  return right && ports.every((port) => /^\d{1,5}$/.test(port))
    ? { ip: plain(from), bytes: end + 2 }
    : 'fault'
}

const MAPPED = Buffer.from('00000000000000000000ffff', 'hex')
function ipv6(bytes: Buffer, from: number): string {
  if (bytes.subarray(from, from + 12).equals(MAPPED))
    return [...bytes.subarray(from + 12, from + 16)].join('.')
  return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(from + 2 * i).toString(16)).join(':')
}

function readBinary(bytes: Buffer): Header {
  if (bytes.length < 16) return 'incomplete'
  const [command = 0, family = 0] = bytes.subarray(12, 14)
  const length = bytes.readUInt16BE(14)
  if (command >> 4 !== 2 || (command & 15) > 1 || length > BINARY_MAX) return 'fault'
  if (bytes.length < 16 + length) return 'incomplete'
  const found = (ip: string | null): Header => ({ ip, bytes: 16 + length })
  if (command === LOCAL) return found(null)
  if (family === TCP4) return length < 12 ? 'fault' : found([...bytes.subarray(16, 20)].join('.'))
  if (family === TCP6) return length < 36 ? 'fault' : found(ipv6(bytes, 16))
  return found(null)
}

export function readProxyHeader(bytes: Buffer): Header {
  const known = Math.min(bytes.length, SIGNATURE.length)
  if (bytes.subarray(0, known).equals(SIGNATURE.subarray(0, known)))
    return known < SIGNATURE.length ? 'incomplete' : readBinary(bytes)
  const begin = bytes.toString('latin1', 0, 6)
  if (begin === 'PROXY ') return readLine(bytes)
  return 'PROXY '.startsWith(begin) ? 'incomplete' : 'fault'
}

/**
 * Reads the header from a connection of a trusted load balancer, and passes the connection on, paused, with the data
 * after the header still unread. A connection that begins differently, or takes longer than `withinMs`, is closed.
 */
export function takeProxyHeader(socket: Socket, withinMs: number, done: (ip: string | null) => void): void {
  let bytes: Buffer = Buffer.alloc(0)
  const late = setTimeout(() => socket.destroy(), withinMs).unref()
  const failed = () => socket.destroy()
  const leave = () => {
    clearTimeout(late)
    socket.off('readable', read).off('end', failed).off('error', failed).off('close', leave)
  }
  const read = () => {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      const header = readProxyHeader(bytes)
      if (header === 'incomplete') continue
      leave()
      if (header === 'fault') return socket.destroy()
      if (bytes.length > header.bytes) socket.unshift(bytes.subarray(header.bytes))
      return done(header.ip)
    }
  }
  socket.on('readable', read).once('end', failed).once('error', failed).once('close', leave)
}
