/**
 * The ready templates: facts from the makers' documents, in our own form. Deadbands, precisions and cycles are proposals.
 */
import type {
  Access,
  ByteOrder,
  DataType,
  FunctionType,
  Parity,
  RegisterType,
  ReportType,
  TemplateType,
} from '../fields.ts'
import { type Quantity, quantities } from './quantities.ts'

/** en-US, zh-CN, zh-TW. */
export type LocalText = readonly [english: string, simplified: string, traditional: string]

export type LibraryVariable = {
  key: string
  name: LocalText
  unit: string
  registerType: RegisterType
  address: number
  dataType: DataType
  byteOrder?: ByteOrder
  bit?: number
  length?: number
  noValue?: string
  powerAddress?: number
  factor: number
  precision: number
  functionType: FunctionType
  access: Access
  min?: number
  max?: number
  reportType: ReportType
  cycleS: number
  deadband: number
}

export type LibraryTemplate = {
  key: string
  name: LocalText
  type: TemplateType
  vendor: string
  models: readonly string[]
  protocols: readonly ('rtu' | 'tcp')[]
  /** The factory setting. */
  serial?: { baudRate: number; parity: Parity; dataBits: 7 | 8; stopBits: 1 | 2 }
  byteOrder: ByteOrder
  maxGap?: number
  maxRegisters?: number
  timeoutMs?: number
  pauseMs?: number
  connectDelayMs?: number
  /** A variable by which a scan recognizes this equipment, and its expected range. */
  probe?: { key: string; between: readonly [number, number] }
  notes: readonly LocalText[]
  /** The maker's document, and where its facts were read. */
  source: { document: string; read: string }
  /** false: from general knowledge only; neither the maker's document nor a driver in use was read. */
  sourced: boolean
  variables: readonly LibraryVariable[]
}

type Key = keyof typeof quantities
/** Properties shared by the variables of one table. */
type Placed = Partial<
  Pick<LibraryVariable, 'factor' | 'access' | 'noValue' | 'byteOrder' | 'precision' | 'min' | 'max'>
>

/** Variables of one register table and type, by their addresses as on the wire. */
export const at = (
  registerType: RegisterType,
  dataType: DataType,
  addresses: Partial<Record<Key, number>>,
  placed: Placed = {},
): LibraryVariable[] =>
  (Object.entries(addresses) as [Key, number][]).map(([key, address]) => {
    const { name, ...quantity }: Quantity = quantities[key]
    return { key, name, ...quantity, registerType, address, dataType, factor: 1, access: 'read', ...placed }
  })

type Numbered = { key: string; name: (n: string) => LocalText; from: number; names: readonly string[] }
/** Numbered inputs, outputs and registers of a PLC, one after the other. */
export const numbered = (
  registerType: RegisterType,
  dataType: DataType,
  { key, name, from, names }: Numbered,
  placed: Placed = {},
): LibraryVariable[] =>
  names.map((n, i) => ({
    key: `${key}${n}`,
    name: name(n),
    unit: '-',
    registerType,
    address: from + i,
    dataType,
    factor: 1,
    precision: 0,
    functionType: dataType === 'bool' ? (placed.access === 'readWrite' ? 'control' : 'state') : 'gauge',
    access: 'read',
    reportType: dataType === 'bool' ? 'change' : 'both',
    cycleS: 300,
    deadband: dataType === 'bool' ? 0 : 1,
    ...placed,
  }))
