/** The input of the plan compiler: the relevant columns of the tables. */
import type {
  Access,
  ByteOrder,
  DataType,
  FunctionType,
  IoController,
  Parity,
  RegisterType,
  ReportType,
  TerminalProtocol,
} from '../fields.ts'

export type TerminalRow = {
  id: number
  templateId: number | null
  protocol: TerminalProtocol
  slaveId: number | null
  slaveAddress: string | null
  port: number | null
  serialPort: number | null
  baudRate: number | null
  parity: Parity | null
  dataBits: number | null
  stopBits: number | null
}

export type TemplateRow = {
  id: number
  byteOrder: ByteOrder
  maxGap: number
  maxRegisters: number
  timeoutMs: number
  pauseMs: number
  connectDelayMs: number
  retries: number
  /** How often what is reported on change is read. */
  pollMs: number
}

export type VariableRow = {
  templateId: number
  name: string
  slot: number
  registerType: RegisterType | null
  address: number | null
  dataType: DataType
  byteOrder: ByteOrder | null
  bit: number | null
  length: number | null
  noValue: string | null
  /** SunSpec: the address of the register with the power of ten. */
  powerAddress: number | null
  factor: number
  addend: number
  precision: number
  functionType: FunctionType
  access: Access
  min: number | null
  max: number | null
  reportType: ReportType
  cycleS: number
  deadband: number
  minIntervalMs: number
  ioController: IoController
  interfaceNumber: number | null
  formula: string | null
  hidden: boolean
}
