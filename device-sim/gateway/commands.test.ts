/** What a person may ask of a gateway: to read, to look for slaves and registers, to set a value. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Registers, settable } from './registers.ts'
import { slave } from './slave.ts'
import { type SlaveServer, startSlaves } from './slave-server.ts'
import { type TryGateway, tryGateway } from './try-gateway.ts'

let gateway: TryGateway
let server: SlaveServer
let line: { kind: string; host: string; port: number }

function registers(): Registers {
  const made = new Registers()
  made.put('holding', 0, settable([0x4366, 0x8000]))
  made.put('holding', 23, settable([5]))
  made.put('holding', 100, settable([450]))
  made.put('holding', 110, settable([0b0101]))
  made.put('coil', 16, settable([0]))
  // It takes what is written, and keeps to its own limit.
  made.put('holding', 120, { words: () => [50], write: () => undefined })
  // It can be written, and changes while it is read.
  made.put('holding', 130, { words: () => [7] })
  return made
}

beforeEach(async () => {
  server = await startSlaves({
    framing: 'rtu',
    slaves: [slave(1, registers()), slave(7, new Registers()), slave(9, registers(), undefined, [22])],
  })
  line = { kind: 'rtuTcp', host: '127.0.0.1', port: server.port }
  gateway = await tryGateway()
})
afterEach(async () => {
  expect(gateway.cloud.invalid).toEqual([])
  await gateway.close()
  await server.close()
})

it('reads registers once, and shows both frames as they went over the line', async () => {
  const args = { ...line, unit: 1, table: 'holding', address: 0, count: 2 }
  expect((await gateway.ask('readRegisters', args)).result).toMatchObject({
    outcome: 'answered',
    sent: '010300000002C40B',
    received: '010304436680006E68',
    data: '43668000',
  })
  const refused = await gateway.ask('readRegisters', { ...args, address: 50 })
  expect(refused.result).toMatchObject({ outcome: 'exception', exception: 2, received: '018302C0F1' })
  server.slave(1).faults.silent = true
  expect((await gateway.ask('readRegisters', { ...args, timeoutMs: 100 })).result).toMatchObject({
    outcome: 'timeout',
    received: '',
  })
  const nowhere = { ...args, port: 1, timeoutMs: 100 }
  expect((await gateway.ask('readRegisters', nowhere)).result).toMatchObject({ outcome: 'noPath', sent: '' })
})

it('sends no request that no slave may be asked', async () => {
  const args = { ...line, unit: 1, table: 'holding', address: 65_535, count: 2 }
  expect(await gateway.ask('readRegisters', args)).toMatchObject({
    state: 'failed',
    error: 'no slave may be asked that: wrong range',
  })
  expect(server.slave(1).asked).toBe(0)
})

it('finds the slaves of a line: all that respond, even with an exception', async () => {
  const args = { ...line, from: 1, to: 12, table: 'holding', address: 0, timeoutMs: 500 }
  const { result } = await gateway.ask('scanSlaves', args)
  expect(result).toMatchObject({
    path: true,
    found: [
      { unit: 1, data: '4366' },
      { unit: 7, exception: 2 },
      { unit: 9, data: '4366' },
    ],
  })
})

it('finds the registers of a slave by halving, and never writes', async () => {
  const args = { ...line, unit: 1, table: 'holding', from: 0, to: 129 }
  const { result } = await gateway.ask('probeRegisters', args)
  expect(result).toMatchObject({ outcome: 'answered', until: 129 })
  const runs = result?.['found'] as { address: number; data: string }[]
  const found = runs.flatMap(({ address, data }) =>
    Array.from({ length: data.length / 4 }, (_, i) => address + i),
  )
  expect(found).toEqual([0, 1, 23, 100, 110, 120])
  expect(server.slave(1).written).toBe(0)
})

it('says how many bits it has found, which one byte does not tell', async () => {
  const args = { ...line, unit: 1, table: 'coil', from: 10, to: 19 }
  expect((await gateway.ask('probeRegisters', args)).result).toMatchObject({
    found: [{ address: 16, data: '00', count: 1 }],
  })
})

describe('setting a value', () => {
  const write = (more: object, unit = 1) =>
    gateway.ask('writeVariable', {
      ...line,
      unit,
      // A machine that stands still for a moment must not look like a slave that does not answer.
      timeoutMs: 1_000,
      table: 'holding',
      address: 100,
      type: 'uint16',
      order: 'ABCD',
      value: 455,
      ...more,
    })

  it('is confirmed by reading it back', async () => {
    expect((await write({})).result).toMatchObject({ outcome: 'confirmed', before: 450, after: 455 })
    expect((await write({ address: 0, type: 'float32', value: 230.1 })).result).toMatchObject({
      outcome: 'confirmed',
      before: 230.5,
      after: 230.1,
    })
    expect((await write({ table: 'coil', address: 16, type: 'bool', value: 1 })).result).toMatchObject({
      outcome: 'confirmed',
      before: 0,
      after: 1,
    })
    expect(server.slave(1).written).toBe(3)
  })

  it.each([1, 9])(
    'sets one bit and leaves its neighbours, with function 22 and without it (slave %i)',
    async (unit) => {
      const bit = { address: 110, type: 'bit', bit: 1, value: 1 }
      expect((await write(bit, unit)).result).toMatchObject({ outcome: 'confirmed', before: 0, after: 1 })
      expect(server.slave(unit).registers.read('holding', 110, 1)).toEqual([0b0111])
    },
  )

  it('reports the value that the slave holds if it differs', async () => {
    expect((await write({ address: 120, value: 99 })).result).toMatchObject({
      outcome: 'mismatch',
      after: 50,
    })
  })

  it('reports the exception if the slave refuses', async () => {
    expect((await write({ address: 130 })).result).toMatchObject({
      outcome: 'exception',
      exception: 2,
      before: 7,
    })
  })

  it('is unknown without any answer, and is sent only once', async () => {
    server.slave(1).faults.silent = true
    expect((await write({ timeoutMs: 100 })).result).toMatchObject({
      outcome: 'unknown',
      before: null,
      after: null,
    })
  })

  it('is decided by reading where only the answer was lost', async () => {
    const { faults, registers } = server.slave(1)
    const words = [450]
    registers.put('holding', 140, {
      words: () => words,
      write: (_, word) => {
        words[0] = word
        faults.late = { answers: 1, ms: 1_500 }
      },
    })
    expect((await write({ address: 140 })).result).toMatchObject({
      outcome: 'confirmed',
      before: 450,
      after: 455,
    })
    expect(server.slave(1).written).toBe(1)
  })

  it('is not possible to all slaves of a line, nor with a value that does not fit', async () => {
    expect(await write({}, 0)).toMatchObject({ state: 'failed' })
    expect(await write({ value: 70_000 })).toMatchObject({
      state: 'failed',
      error: 'this cannot be written: outOfRange',
    })
    expect(server.slave(1).written).toBe(0)
  })
})
