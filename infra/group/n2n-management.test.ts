import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Supernode, startSupernode } from '#test/programs/supernode'
import { readSupernode } from './n2n-management.ts'

let node: Supernode
beforeAll(async () => {
  node = await startSupernode()
})
beforeEach(() => {
  node.edges = []
  node.heard.length = 0
})
afterAll(() => node.close())

it('counts edges by community, and not the federation', async () => {
  node.edges = [
    { community: 'acme-north', macaddr: '02:00:00:00:00:01', desc: 'one' },
    { community: 'acme-north', macaddr: '02:00:00:00:00:02', desc: 'two' },
    { community: 'acme-south', macaddr: '02:00:00:00:00:03', desc: 'three' },
    { community: '-/-', macaddr: '02:00:00:00:00:04', desc: 'other supernode' },
  ]
  const { edges, startedAt } = await readSupernode('127.0.0.1', node.port)
  expect(Object.fromEntries(edges)).toEqual({ 'acme-north': 2, 'acme-south': 1 })
  expect(startedAt).toEqual(new Date(1_700_000_000_000))
  expect(node.heard).toHaveLength(2)
  expect(node.heard[1]).toMatch(/^r \d+ edges$/)
})

it('invalid names are left out, and an error contains only plain characters', async () => {
  node.edges = [
    { community: 'bad\u0000name', macaddr: '', desc: '' },
    { community: 'acme-north', macaddr: '02:00:00:00:00:01', desc: '\u0000' },
  ]
  expect((await readSupernode('127.0.0.1', node.port)).edges.size).toBe(1)
  const other = createSocket('udp4')
  other.on('message', (bytes, from) => {
    const tag = bytes.toString().split(' ')[1]
    other.send(JSON.stringify({ _tag: tag, _type: 'error', error: 'bad\u0000auth' }), from.port, from.address)
  })
  other.bind(0, '127.0.0.1')
  await once(other, 'listening')
  await expect(readSupernode('127.0.0.1', other.address().port, 50)).rejects.toThrow('bad?auth')
  other.close()
  await once(other, 'close')
})

it('one lost packet is no outage', async () => {
  node.deaf = 1
  expect((await readSupernode('127.0.0.1', node.port, 50)).edges.size).toBe(0)
})

it('silence, a closed port and another service are distinguished from no edges', async () => {
  node.deaf = 2
  await expect(readSupernode('127.0.0.1', node.port, 50)).rejects.toThrow('no answer')
  const other = createSocket('udp4')
  other.on('message', (_, from) => other.send('uptime 3 | edges 0 |\n', from.port, from.address))
  other.bind(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address()
  await expect(readSupernode('127.0.0.1', port, 50)).rejects.toThrow('no answer')
  other.close()
  await once(other, 'close')
  await expect(readSupernode('127.0.0.1', port, 50)).rejects.toThrow()
})
