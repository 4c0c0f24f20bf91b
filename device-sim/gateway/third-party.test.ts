/**
 * Programs of others against ours, because two halves of one mistake would agree: Debian's mbpoll and pymodbus read and
 * write our slaves, and our gateway reads slaves of pymodbus. Skipped with a message where they are not installed
 * (test/run.ts fetches them).
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../fake-cloud.ts'
import { Registers, settable } from './registers.ts'
import { slave } from './slave.ts'
import { type SlaveServer, startSlaves } from './slave-server.ts'
import { tryGateway } from './try-gateway.ts'

const MBPOLL = '/usr/bin/mbpoll'
const PYTHON = '/usr/bin/python3'
const hasMbpoll = existsSync(MBPOLL)
const hasPymodbus = existsSync(PYTHON) && spawnSync(PYTHON, ['-c', 'import pymodbus.client']).status === 0

const run = promisify(execFile)

function registers(): Registers {
  const made = new Registers()
  made.put('holding', 0, settable([0x4366, 0x8000]))
  made.put('holding', 100, settable([450]))
  made.put('input', 1, settable([263, 520]))
  made.put('coil', 0, settable([1, 0, 1, 1, 0, 0, 1, 1, 1, 1]))
  made.put('discrete', 3, settable([1, 0]))
  return made
}

let tcp: SlaveServer
let rtu: SlaveServer
beforeAll(async () => {
  tcp = await startSlaves({ framing: 'tcp', slaves: [slave(1, registers())] })
  rtu = await startSlaves({ framing: 'rtu', slaves: [slave(17, registers())] })
})
afterAll(async () => {
  await tcp.close()
  await rtu.close()
})

describe.skipIf(!hasMbpoll)('mbpoll', () => {
  const poll = async (...args: string[]) => {
    const common = ['-m', 'tcp', '-a', '1', '-p', String(tcp.port), '-0', '-1']
    const { stdout } = await run(MBPOLL, [...common, ...args])
    return [...stdout.matchAll(/^\[(\d+)\]:\s+(\S+)/gm)].map(([, at, value]) => [Number(at), Number(value)])
  }
  it('reads all four tables of our slaves', async () => {
    expect(await poll('-r', '0', '-c', '1', '-t', '4:float', '-B', '127.0.0.1')).toEqual([[0, 230.5]])
    expect(await poll('-r', '1', '-c', '2', '-t', '3', '127.0.0.1')).toEqual([
      [1, 263],
      [2, 520],
    ])
    expect((await poll('-r', '0', '-c', '10', '-t', '0', '127.0.0.1')).map(([, bit]) => bit)).toEqual([
      1, 0, 1, 1, 0, 0, 1, 1, 1, 1,
    ])
    expect(await poll('-r', '3', '-c', '2', '-t', '1', '127.0.0.1')).toEqual([
      [3, 1],
      [4, 0],
    ])
  })
  it('sets a register, and understands our refusal', async () => {
    await run(MBPOLL, [
      '-m',
      'tcp',
      '-a',
      '1',
      '-p',
      String(tcp.port),
      '-0',
      '-r',
      '100',
      '-t',
      '4',
      '127.0.0.1',
      '455',
    ])
    expect(tcp.slave(1).registers.read('holding', 100, 1)).toEqual([455])
    const refused = run(MBPOLL, [
      '-m',
      'tcp',
      '-a',
      '1',
      '-p',
      String(tcp.port),
      '-0',
      '-1',
      '-r',
      '50',
      '-t',
      '4',
      '127.0.0.1',
    ])
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('Illegal data address') })
  })
})

/** Prints one line of JSON. */
const READ = `
import json, sys
from pymodbus.client import ModbusTcpClient
from pymodbus.transaction import ModbusRtuFramer, ModbusSocketFramer
from pymodbus.register_write_message import MaskWriteRegisterRequest
from pymodbus.register_read_message import ReadWriteMultipleRegistersRequest
from pymodbus.mei_message import ReadDeviceInformationRequest
port, unit, framer = int(sys.argv[1]), int(sys.argv[2]), {'tcp': ModbusSocketFramer, 'rtu': ModbusRtuFramer}[sys.argv[3]]
c = ModbusTcpClient('127.0.0.1', port=port, framer=framer)
c.connect()
said = {
  'holding': c.read_holding_registers(0, 2, slave=unit).registers,
  'input': c.read_input_registers(1, 2, slave=unit).registers,
  'coils': c.read_coils(0, 10, slave=unit).bits[:10],
  'discrete': c.read_discrete_inputs(3, 2, slave=unit).bits[:2],
  'hole': c.read_holding_registers(50, 2, slave=unit).exception_code,
}
c.write_registers(100, [9], slave=unit)
c.execute(MaskWriteRegisterRequest(100, 0xfff0, 0x5, unit=unit))
said['masked'] = c.read_holding_registers(100, 1, slave=unit).registers
c.write_register(100, 77, slave=unit)
said['written'] = c.read_holding_registers(100, 1, slave=unit).registers
both = ReadWriteMultipleRegistersRequest(read_address=0, read_count=2, write_address=100, write_registers=[78], unit=unit)
said['both'] = c.execute(both).registers
c.write_coils(1, [True, True], slave=unit)
c.write_coil(0, False, slave=unit)
said['coilsAfter'] = c.read_coils(0, 3, slave=unit).bits[:3]
information = c.execute(ReadDeviceInformationRequest(unit=unit, read_code=1)).information
said['vendor'] = information[0].decode()
print(json.dumps(said))
`
/** Two slaves; one register counts, so that a master can see that it lives. */
const SERVE = `
import sys, threading, time
from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server import StartTcpServer
from pymodbus.transaction import ModbusRtuFramer, ModbusSocketFramer
def one(first):
  return ModbusSlaveContext(
    hr=ModbusSequentialDataBlock(0, [0x4366, 0x8000, first] + [0] * 7), ir=ModbusSequentialDataBlock(0, [263] * 10),
    co=ModbusSequentialDataBlock(0, [True, False] * 10), di=ModbusSequentialDataBlock(0, [False, True] * 10), zero_mode=True)
context = ModbusServerContext(slaves={5: one(50), 6: one(60)}, single=False)
StartTcpServer(context=context, address=('127.0.0.1', int(sys.argv[1])), framer={'tcp': ModbusSocketFramer, 'rtu': ModbusRtuFramer}[sys.argv[2]])
`

describe.skipIf(!hasPymodbus)('pymodbus', () => {
  const servers: ChildProcess[] = []
  afterAll(() => {
    for (const server of servers) server.kill()
  })

  it.each(['tcp', 'rtu'] as const)('reads and writes our slaves in frames of %s', async (framing) => {
    const [server, unit] = framing === 'tcp' ? [tcp, 1] : [rtu, 17]
    const { stdout } = await run(PYTHON, ['-c', READ, String(server.port), String(unit), framing], {
      timeout: 30_000,
    })
    expect(JSON.parse(stdout)).toEqual({
      holding: [0x4366, 0x8000],
      input: [263, 520],
      coils: [true, false, true, true, false, false, true, true, true, true],
      discrete: [true, false],
      hole: 2,
      masked: [5],
      written: [77],
      both: [0x4366, 0x8000],
      coilsAfter: [false, true, true],
      vendor: 'Simulated',
    })
    expect(server.slave(unit).registers.read('holding', 100, 1)).toEqual([78])
  })

  /** A port that was free a moment ago. */
  async function serve(framing: 'tcp' | 'rtu'): Promise<number> {
    const taken = await startSlaves({ framing, slaves: [] })
    await taken.close()
    servers.push(spawn(PYTHON, ['-c', SERVE, String(taken.port), framing], { stdio: 'ignore' }))
    for (let i = 0; i < 200; i++) {
      const socket = connect(taken.port, '127.0.0.1')
      const isOpen = await new Promise<boolean>((done) => {
        socket.once('connect', () => done(true))
        socket.once('error', () => done(false))
      })
      socket.destroy()
      if (isOpen) return taken.port
      await sleep(100)
    }
    throw new Error('pymodbus does not listen')
  }

  it.each(['tcp', 'rtuTcp'] as const)('has slaves that our gateway polls and sets over %s', async (kind) => {
    const port = await serve(kind === 'tcp' ? 'tcp' : 'rtu')
    const gateway = await tryGateway()
    const everyMs = 200
    const read = { address: 0, everyMs }
    const variable = { order: 'ABCD', report: 'change', cycleMs: everyMs } as const
    const terminal = (t: number, unit: number) => ({
      t,
      bus: 0,
      unit,
      timeoutMs: 1_000,
      retries: 1,
      reads: [
        { ...read, fn: 3 as const, count: 3 },
        { ...read, fn: 1 as const, count: 2 },
        { ...read, fn: 4 as const, count: 1 },
      ],
      vars: [
        { ...variable, slot: 0, read: 0, at: 0, type: 'float32' as const },
        { ...variable, slot: 1, read: 0, at: 2, type: 'uint16' as const },
        { ...variable, slot: 2, read: 1, at: 1, type: 'bool' as const },
        { ...variable, slot: 3, read: 2, at: 0, type: 'uint16' as const },
      ],
    })
    const line = { kind, host: '127.0.0.1', port }
    await gateway.run({ revision: 1, buses: [line], terminals: [terminal(1, 5), terminal(2, 6)] })
    const first = (t: number) => [0, 1, 2, 3].map((slot) => gateway.values(t, slot)[0]?.[0])
    await until('all values', () => [1, 2].every((t) => !first(t).includes(undefined)))
    expect(first(1)).toEqual([230.5, 50, 0, 263])
    expect(first(2)).toEqual([230.5, 60, 0, 263])
    const write = {
      ...line,
      unit: 6,
      timeoutMs: 1_000,
      table: 'holding',
      address: 2,
      type: 'uint16',
      order: 'ABCD',
    }
    expect((await gateway.ask('writeVariable', { ...write, value: 61 })).result).toMatchObject({
      outcome: 'confirmed',
      before: 60,
      after: 61,
    })
    await until('the new value', () => gateway.values(2, 1).at(-1)?.[0] === 61)
    await gateway.close()
  })
})
