/** Makes a declared parameter: a number that people may change while the platform runs. */
import type { Language } from './refusal.ts'

export type ParameterUnit = 'hours' | 'days' | 'minutes' | 'seconds' | 'times' | 'pieces'
type Texts = Readonly<Record<Language, string>>
export type Parameter = {
  readonly names: Texts
  readonly descriptions: Texts
  readonly unit: ParameterUnit
  readonly initial: number
  readonly min: number
  readonly max: number
  /** May a customer have a value of its own? Only where nothing of others depends on it. */
  readonly perCustomer: boolean
}

export const texts = (zhCN: string, zhTW: string, enUS: string): Texts => ({
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': enUS,
})
type Bounds = { unit: ParameterUnit; initial: number; min: number; max: number; perCustomer?: boolean }
export const parameter = (names: Texts, descriptions: Texts, bounds: Bounds): Parameter => ({
  perCustomer: false,
  ...bounds,
  names,
  descriptions,
})
