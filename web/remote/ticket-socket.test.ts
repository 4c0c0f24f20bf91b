import { beforeEach, expect, it, vi } from 'vitest'
import { TicketSocket } from './ticket-socket.ts'

class FakeSocket {
  static readonly OPEN = 1
  static made: FakeSocket[] = []
  readyState = 0
  binaryType = ''
  onopen = () => {}
  onmessage = (_event: { data: string }) => {}
  onclose = (_event: { code: number }) => {}
  readonly ticket: string
  constructor(_address: string, [, ticket = '']: string[]) {
    this.ticket = ticket
    FakeSocket.made.push(this)
  }
  accept() {
    this.readyState = 1
    this.onopen()
  }
  close() {
    this.readyState = 3
    this.onclose({ code: 1005 })
  }
}
beforeEach(() => {
  FakeSocket.made = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', { origin: 'http://console.test' })
})

function tracked() {
  const heard: string[] = []
  const handlers = (name: string, ticket: () => Promise<string>) => ({
    ticket,
    onOpen: () => heard.push(`${name} open`),
    onMessage: (data: ArrayBuffer | string) => heard.push(`${name} ${String(data)}`),
    onClose: (code: number) => heard.push(`${name} closed ${code}`),
    onFault: (error: unknown) => heard.push(`${name} ${String(error)}`),
  })
  return { heard, handlers }
}

it('makes no connection for a page that was left while its ticket was on its way', async () => {
  const { heard, handlers } = tracked()
  const ticket = Promise.withResolvers<string>()
  const socket = new TicketSocket()
  const opening = socket.open(handlers('first', () => ticket.promise))
  socket.close()
  ticket.resolve('t')
  await opening
  expect(FakeSocket.made).toEqual([])
  expect(heard).toEqual([])
})

it('of two attempts only the last one connects, and the former connection says nothing any more', async () => {
  const { heard, handlers } = tracked()
  const socket = new TicketSocket()
  await socket.open(handlers('first', async () => 'a'))
  FakeSocket.made[0]?.accept()
  const slow = Promise.withResolvers<string>()
  const second = socket.open(handlers('second', () => slow.promise))
  await socket.open(handlers('third', async () => 'c'))
  slow.resolve('b')
  await second
  FakeSocket.made[0]?.onmessage({ data: 'late' })
  FakeSocket.made[1]?.accept()
  FakeSocket.made[1]?.onmessage({ data: 'hello' })
  expect(FakeSocket.made.map((one) => one.ticket)).toEqual(['a', 'c'])
  expect(heard).toEqual(['first open', 'third open', 'third hello'])
})

it('says when the connection ends by itself, and why there was no ticket', async () => {
  const { heard, handlers } = tracked()
  const socket = new TicketSocket()
  await socket.open(handlers('first', async () => 'a'))
  FakeSocket.made[0]?.accept()
  FakeSocket.made[0]?.close()
  await socket.open(handlers('second', () => Promise.reject(new Error('refused'))))
  expect(heard).toEqual(['first open', 'first closed 1005', 'second Error: refused'])
  expect(socket.isOpen).toBe(false)
})
