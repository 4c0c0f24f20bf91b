/** The simulated hardware: five models of four kinds, and the cities where the devices are. */

export type Model = {
  readonly name: string
  /** First two letters of the serial number. */
  readonly prefix: string
  readonly hardwareType: 'router' | 'gateway' | 'printServer' | 'serialServer'
  readonly hardwareVersion: string
  readonly kernel: string
  /** null: wired, without a radio and without GPS. */
  readonly radio: 'LTE' | 'NR' | null
  readonly firmware: readonly [string, ...string[]]
  readonly memoryBytes: number
  /** Mean traffic at the busiest hour, bytes per second downwards. */
  readonly busyBytesPerS: number
  readonly clients: number
  /** Has a battery-backed clock; without it the time is unknown after a start, until the platform sends it. */
  readonly hasClock: boolean
}

const MIB = 1024 * 1024

export const models = [
  {
    name: 'R200',
    prefix: 'RT',
    hardwareType: 'router',
    hardwareVersion: 'B2',
    kernel: '5.15.167',
    radio: 'LTE',
    firmware: ['1.4.2', '1.4.1', '1.4.0'],
    memoryBytes: 128 * MIB,
    busyBytesPerS: 120_000,
    clients: 8,
    hasClock: true,
  },
  {
    name: 'R500',
    prefix: 'RF',
    hardwareType: 'router',
    hardwareVersion: 'A1',
    kernel: '6.6.52',
    radio: 'NR',
    firmware: ['2.1.0', '2.0.3'],
    memoryBytes: 512 * MIB,
    busyBytesPerS: 900_000,
    clients: 30,
    hasClock: true,
  },
  {
    name: 'G100',
    prefix: 'GW',
    hardwareType: 'gateway',
    hardwareVersion: 'C3',
    kernel: '5.10.221',
    radio: 'LTE',
    firmware: ['3.2.1', '3.2.0'],
    memoryBytes: 256 * MIB,
    busyBytesPerS: 15_000,
    clients: 2,
    hasClock: true,
  },
  {
    name: 'P10',
    prefix: 'PS',
    hardwareType: 'printServer',
    hardwareVersion: 'A4',
    kernel: '4.14.336',
    radio: null,
    firmware: ['1.0.9', '1.0.8'],
    memoryBytes: 64 * MIB,
    busyBytesPerS: 8_000,
    clients: 3,
    hasClock: true,
  },
  {
    name: 'S20',
    prefix: 'SS',
    hardwareType: 'serialServer',
    hardwareVersion: 'B1',
    kernel: '4.14.336',
    radio: null,
    firmware: ['2.3.0', '2.2.7'],
    memoryBytes: 32 * MIB,
    busyBytesPerS: 2_000,
    clients: 1,
    hasClock: false,
  },
] as const satisfies readonly Model[]

/** Of ten devices: four R200, two R500, two G100, one P10, one S20. */
export const mix = ['R200', 'R200', 'R500', 'G100', 'R200', 'P10', 'R500', 'R200', 'G100', 'S20'] as const

/** @throws when no such model is simulated. */
export function modelOf(name: string): Model {
  const found = models.find((model) => model.name === name)
  if (!found)
    throw new Error(`${name} is not a simulated model: ${models.map((model) => model.name).join(', ')}`)
  return found
}

export type City = {
  readonly name: string
  readonly longitude: number
  readonly latitude: number
  readonly timeZone: string
}

export const cities: readonly [City, ...City[]] = [
  { name: 'Shanghai', longitude: 121.47, latitude: 31.23, timeZone: 'Asia/Shanghai' },
  { name: 'Beijing', longitude: 116.4, latitude: 39.9, timeZone: 'Asia/Shanghai' },
  { name: 'Guangzhou', longitude: 113.26, latitude: 23.13, timeZone: 'Asia/Shanghai' },
  { name: 'Shenzhen', longitude: 114.06, latitude: 22.54, timeZone: 'Asia/Shanghai' },
  { name: 'Chengdu', longitude: 104.07, latitude: 30.57, timeZone: 'Asia/Shanghai' },
  { name: 'Chongqing', longitude: 106.55, latitude: 29.56, timeZone: 'Asia/Shanghai' },
  { name: 'Wuhan', longitude: 114.3, latitude: 30.59, timeZone: 'Asia/Shanghai' },
  { name: "Xi'an", longitude: 108.94, latitude: 34.34, timeZone: 'Asia/Shanghai' },
  { name: 'Hangzhou', longitude: 120.16, latitude: 30.27, timeZone: 'Asia/Shanghai' },
  { name: 'Nanjing', longitude: 118.8, latitude: 32.06, timeZone: 'Asia/Shanghai' },
  { name: 'Xiamen', longitude: 118.09, latitude: 24.48, timeZone: 'Asia/Shanghai' },
  { name: 'Harbin', longitude: 126.53, latitude: 45.8, timeZone: 'Asia/Shanghai' },
  { name: 'Urumqi', longitude: 87.62, latitude: 43.82, timeZone: 'Asia/Urumqi' },
  { name: 'Kunming', longitude: 102.83, latitude: 24.88, timeZone: 'Asia/Shanghai' },
  { name: 'Singapore', longitude: 103.82, latitude: 1.35, timeZone: 'Asia/Singapore' },
  { name: 'Tokyo', longitude: 139.69, latitude: 35.69, timeZone: 'Asia/Tokyo' },
  { name: 'Frankfurt', longitude: 8.68, latitude: 50.11, timeZone: 'Europe/Berlin' },
  { name: 'Madrid', longitude: -3.7, latitude: 40.42, timeZone: 'Europe/Madrid' },
  { name: 'Chicago', longitude: -87.63, latitude: 41.88, timeZone: 'America/Chicago' },
  { name: 'São Paulo', longitude: -46.63, latitude: -23.55, timeZone: 'America/Sao_Paulo' },
]
