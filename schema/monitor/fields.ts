/**
 * What a variable is: how it is read from a slave, converted, reported and judged [§3 Variable]. Used by the tables, the
 * forms, the poll plan and the gateway.
 */

/** The Modbus table that contains a value, with the function code that reads it. */
export const registerTypes = ['coil', 'discrete', 'input', 'holding'] as const
export type RegisterType = (typeof registerTypes)[number]

export const dataTypes = [
  'bool',
  'bit',
  'bits',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
  'bcd16',
  'bcd32',
  'mod10k',
  'text',
] as const
export type DataType = (typeof dataTypes)[number]

/**
 * Letters are the bytes of the value from the most significant one, in the order of their arrival: CDAB reverses the
 * words, BADC the bytes within words, DCBA both. Values of 64 bits likewise.
 */
export const byteOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
export type ByteOrder = (typeof byteOrders)[number]

/**
 * [§3 Variable] change: when it differs by more than the deadband; cycle: the newest reading of each cycle; both:
 * either of them.
 */
export const reportTypes = ['change', 'cycle', 'both'] as const
export type ReportType = (typeof reportTypes)[number]

/** [§3 Variable] The meaning of the number: a level, a counter that only grows, a state, a switch or a setpoint. */
export const functionTypes = ['gauge', 'counter', 'state', 'control'] as const
export type FunctionType = (typeof functionTypes)[number]

/**
 * [§3 Variable] modbus: a slave's register; source: a value of a foreign source, found by its name; formula: computed by the
 * platform from other variables of the template; the others are interfaces of the gateway itself, by number.
 */
export const ioControllers = [
  'modbus',
  'digitalInput',
  'digitalOutput',
  'analogInput',
  'relay',
  'source',
  'formula',
] as const
export const interfaceControllers = ['digitalInput', 'digitalOutput', 'analogInput', 'relay'] as const
export type IoController = (typeof ioControllers)[number]

/** [§3 Variable] */
export const accesses = ['read', 'readWrite', 'write'] as const
export type Access = (typeof accesses)[number]

/** rtu: on a serial port of the gateway; tcp: Modbus TCP; rtuTcp: serial frames over a TCP connection of a converter. */
export const modbusProtocols = ['modbusRtu', 'modbusTcp', 'modbusRtuTcp'] as const
/**
 * interfaces: the inputs and outputs of the gateway itself; source: values sent by a foreign source. Neither has a
 * slave.
 */
export const terminalProtocols = [...modbusProtocols, 'interfaces', 'source'] as const
export type ModbusProtocol = (typeof modbusProtocols)[number]
export const isModbus = (protocol: TerminalProtocol): protocol is ModbusProtocol =>
  modbusProtocols.some((one) => one === protocol)
export type TerminalProtocol = (typeof terminalProtocols)[number]

export const parities = ['none', 'even', 'odd'] as const
export type Parity = (typeof parities)[number]

/** What a collection template is for: its icon, and how the library is ordered. */
export const templateTypes = ['powerMeter', 'climate', 'plc', 'inverter', 'flowMeter', 'io', 'other'] as const
export type TemplateType = (typeof templateTypes)[number]

/**
 * The quality that is stored with each value, by its code on the wire. Stale is not among them: it is the age of a value
 * when it is read. Only good, uncertainTime and outOfRange have a value; the others have null, never 0.
 */
export const qualities = [
  'good',
  'timeout',
  'crc',
  'slaveOffline',
  'noPath',
  'uncertainTime',
  'badAddress',
  'deviceError',
  'noValue',
  'badData',
  'outOfRange',
  'formulaError',
] as const
export type Quality = (typeof qualities)[number]
export const qualityCode = (quality: Quality): number => qualities.indexOf(quality)
export const hasValue = (quality: Quality): boolean =>
  quality === 'good' || quality === 'uncertainTime' || quality === 'outOfRange'

/** silent: its slave does not respond; noPath: no slave on its bus responds, or the connection fails. */
export const slaveStates = ['answering', 'silent', 'noPath'] as const
export type SlaveState = (typeof slaveStates)[number]

/** A value older than this many cycles is shown as stale. */
export const STALE_CYCLES = 2.5

export const SLAVE_ID_MAX = 255
export const ADDRESS_MAX = 65_535
/** [§9 Resend and retry] */
export const RETRIES_MAX = 5
/** Largest number of variables of a template; slots are never reused, so that old samples keep their meaning. */
export const VARIABLES_MAX = 1_000
export const SLOT_MAX = 32_767
