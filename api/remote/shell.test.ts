import { EventEmitter } from 'node:events'
import type { ClientChannel } from 'ssh2'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type TerminalSaid, UNSHOWN_MAX } from '#schema/remote/terminal-frame'
import { ownerOf, Shell, type View } from './shell.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const KEEP_MS = 60_000
const stage = () => ({
  output: vi.fn(),
  resize: vi.fn(),
  front: vi.fn(),
  tell: vi.fn(),
  end: vi.fn(),
})

function shellOf() {
  const channel = Object.assign(new EventEmitter(), {
    stderr: new EventEmitter(),
    write: vi.fn(() => true),
    pause: vi.fn(),
    resume: vi.fn(),
    setWindow: vi.fn(),
    close: vi.fn(() => channel.emit('close')),
  })
  const shell = new Shell({
    channel: channel as unknown as ClientChannel,
    recording: null,
    owner: ownerOf({ tokenId: null }),
    account: 'root',
    keepMs: KEEP_MS,
  })
  const over = vi.fn()
  shell.begin(stage(), over)
  return { shell, channel, over, output: (text: string) => channel.emit('data', Buffer.from(text)) }
}
function page() {
  const said: TerminalSaid[] = []
  let shown = ''
  const view: View = {
    say: (one) => said.push(one),
    send: (chunk) => {
      shown += String(chunk)
    },
    unsent: () => 0,
    resume: vi.fn(),
    takenOver: vi.fn(),
  }
  return { view, said, shown: () => shown }
}

it('ends when no page has come for its time, and not while one shows it', () => {
  const { shell, channel, over } = shellOf()
  const first = page()
  shell.show(first.view, 0, null)
  vi.advanceTimersByTime(10 * KEEP_MS)
  expect(channel.close).not.toHaveBeenCalled()
  shell.leave(first.view)
  vi.advanceTimersByTime(KEEP_MS - 1)
  const second = page()
  shell.show(second.view, 0, null)
  vi.advanceTimersByTime(10 * KEEP_MS)
  shell.leave(second.view)
  expect(channel.close).not.toHaveBeenCalled()
  vi.advanceTimersByTime(KEEP_MS)
  expect(over).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

it('does not count the leaving of a page whose shell another one has taken over', () => {
  const { shell, channel } = shellOf()
  const [first, second] = [page(), page()]
  shell.show(first.view, 0, null)
  shell.show(second.view, 0, { columns: 90, rows: 20 })
  expect(first.view.takenOver).toHaveBeenCalledOnce()
  expect(channel.setWindow).toHaveBeenCalledWith(20, 90, 0, 0)
  shell.leave(first.view)
  vi.advanceTimersByTime(10 * KEEP_MS)
  expect(channel.close).not.toHaveBeenCalled()
})

it('pauses its device while no page shows the output, and loses nothing', () => {
  const { shell, channel, output } = shellOf()
  const first = page()
  shell.show(first.view, 0, null)
  shell.leave(first.view)
  const part = 'x'.repeat(1023)
  for (let i = 0; i < UNSHOWN_MAX / 1024; i++) output(`${part}\n`)
  expect(channel.pause).not.toHaveBeenCalled()
  output('more')
  expect(channel.pause).toHaveBeenCalled()
  const second = page()
  shell.show(second.view, 0, null)
  expect(second.said).toEqual([expect.objectContaining({ t: 'open', seen: 0 })])
  expect(second.shown().endsWith('x\nmore')).toBe(true)
})

it('says to the next page, too, why it is not recorded', () => {
  const { shell } = shellOf()
  shell.unrecorded = { t: 'unrecorded', why: 'recordingFull' }
  const next = page()
  shell.show(next.view, 0, null)
  expect(next.said).toMatchObject([
    { t: 'open', recorded: false },
    { t: 'unrecorded', why: 'recordingFull' },
  ])
})
