/** The quantities of ready templates: names in three languages, unit, and suitable report mode. */
import type { FunctionType, ReportType } from '../fields.ts'

export type Quantity = {
  name: readonly [english: string, simplified: string, traditional: string]
  unit: string
  precision: number
  functionType: FunctionType
  reportType: ReportType
  cycleS: number
  deadband: number
}
type Facts = Omit<Quantity, 'name'>

/** Reported when it has changed by this much, and every five minutes. */
const gauge = (unit: string, precision: number, deadband: number): Facts => ({
  unit,
  precision,
  deadband,
  functionType: 'gauge',
  reportType: 'both',
  cycleS: 300,
})
/** Reported every minute, so that consumption can be computed for any time range. */
const meter = (unit: string): Facts => ({
  unit,
  precision: 2,
  deadband: 0,
  functionType: 'counter',
  reportType: 'cycle',
  cycleS: 60,
})
const onChange = (unit: string, precision: number, functionType: FunctionType): Facts => ({
  unit,
  precision,
  deadband: 0,
  functionType,
  reportType: 'change',
  cycleS: 300,
})

const voltage = gauge('V', 1, 0.5)
const current = gauge('A', 2, 0.05)
const power = gauge('W', 0, 10)
const inverterPower = gauge('W', 0, 20)
const apparent = gauge('VA', 0, 10)
const reactive = gauge('var', 0, 10)
const factor = gauge('-', 3, 0.01)
const factorPercent = gauge('%', 1, 1)
const angle = gauge('°', 1, 1)
const frequency = gauge('Hz', 2, 0.02)
const percent = gauge('%', 1, 0.5)
const temperature = gauge('°C', 1, 0.2)
const humidity = gauge('%RH', 1, 1)
const energy = meter('kWh')
const reactiveEnergy = meter('kvarh')
const state = onChange('-', 0, 'state')
const celsiusSetting = onChange('°C', 1, 'control')
const humiditySetting = onChange('%RH', 1, 'control')

const of = (facts: Facts, ...name: Quantity['name']): Quantity => ({ name, ...facts })

export const quantities = {
  voltage: of(voltage, 'Voltage', '电压', '電壓'),
  voltageL1: of(voltage, 'Voltage L1', 'A相电压', 'A相電壓'),
  voltageL2: of(voltage, 'Voltage L2', 'B相电压', 'B相電壓'),
  voltageL3: of(voltage, 'Voltage L3', 'C相电压', 'C相電壓'),
  voltageL12: of(voltage, 'Voltage L1-L2', 'AB线电压', 'AB線電壓'),
  voltageL23: of(voltage, 'Voltage L2-L3', 'BC线电压', 'BC線電壓'),
  voltageL31: of(voltage, 'Voltage L3-L1', 'CA线电压', 'CA線電壓'),
  current: of(current, 'Current', '电流', '電流'),
  currentL1: of(current, 'Current L1', 'A相电流', 'A相電流'),
  currentL2: of(current, 'Current L2', 'B相电流', 'B相電流'),
  currentL3: of(current, 'Current L3', 'C相电流', 'C相電流'),
  power: of(power, 'Active power', '有功功率', '有效功率'),
  powerL1: of(power, 'Active power L1', 'A相有功功率', 'A相有效功率'),
  powerL2: of(power, 'Active power L2', 'B相有功功率', 'B相有效功率'),
  powerL3: of(power, 'Active power L3', 'C相有功功率', 'C相有效功率'),
  apparentPower: of(apparent, 'Apparent power', '视在功率', '視在功率'),
  apparentPowerL1: of(apparent, 'Apparent power L1', 'A相视在功率', 'A相視在功率'),
  apparentPowerL2: of(apparent, 'Apparent power L2', 'B相视在功率', 'B相視在功率'),
  apparentPowerL3: of(apparent, 'Apparent power L3', 'C相视在功率', 'C相視在功率'),
  reactivePower: of(reactive, 'Reactive power', '无功功率', '無效功率'),
  reactivePowerL1: of(reactive, 'Reactive power L1', 'A相无功功率', 'A相無效功率'),
  reactivePowerL2: of(reactive, 'Reactive power L2', 'B相无功功率', 'B相無效功率'),
  reactivePowerL3: of(reactive, 'Reactive power L3', 'C相无功功率', 'C相無效功率'),
  powerFactor: of(factor, 'Power factor', '功率因数', '功率因數'),
  powerFactorL1: of(factor, 'Power factor L1', 'A相功率因数', 'A相功率因數'),
  powerFactorL2: of(factor, 'Power factor L2', 'B相功率因数', 'B相功率因數'),
  powerFactorL3: of(factor, 'Power factor L3', 'C相功率因数', 'C相功率因數'),
  powerFactorPercent: of(factorPercent, 'Power factor', '功率因数', '功率因數'),
  phaseAngle: of(angle, 'Phase angle', '相角', '相角'),
  frequency: of(frequency, 'Frequency', '频率', '頻率'),
  imported: of(energy, 'Energy imported', '正向有功电能', '正向有效電能'),
  importedL1: of(energy, 'Energy imported L1', 'A相正向有功电能', 'A相正向有效電能'),
  importedL2: of(energy, 'Energy imported L2', 'B相正向有功电能', 'B相正向有效電能'),
  importedL3: of(energy, 'Energy imported L3', 'C相正向有功电能', 'C相正向有效電能'),
  exported: of(energy, 'Energy exported', '反向有功电能', '反向有效電能'),
  exportedL1: of(energy, 'Energy exported L1', 'A相反向有功电能', 'A相反向有效電能'),
  exportedL2: of(energy, 'Energy exported L2', 'B相反向有功电能', 'B相反向有效電能'),
  exportedL3: of(energy, 'Energy exported L3', 'C相反向有功电能', 'C相反向有效電能'),
  total: of(energy, 'Energy total', '总有功电能', '總有效電能'),
  totalL1: of(energy, 'Energy total L1', 'A相总有功电能', 'A相總有效電能'),
  totalL2: of(energy, 'Energy total L2', 'B相总有功电能', 'B相總有效電能'),
  totalL3: of(energy, 'Energy total L3', 'C相总有功电能', 'C相總有效電能'),
  reactiveImported: of(reactiveEnergy, 'Reactive energy imported', '正向无功电能', '正向無效電能'),
  reactiveImportedL1: of(reactiveEnergy, 'Reactive energy imported L1', 'A相正向无功电能', 'A相正向無效電能'),
  reactiveImportedL2: of(reactiveEnergy, 'Reactive energy imported L2', 'B相正向无功电能', 'B相正向無效電能'),
  reactiveImportedL3: of(reactiveEnergy, 'Reactive energy imported L3', 'C相正向无功电能', 'C相正向無效電能'),
  reactiveExported: of(reactiveEnergy, 'Reactive energy exported', '反向无功电能', '反向無效電能'),
  reactiveExportedL1: of(reactiveEnergy, 'Reactive energy exported L1', 'A相反向无功电能', 'A相反向無效電能'),
  reactiveExportedL2: of(reactiveEnergy, 'Reactive energy exported L2', 'B相反向无功电能', 'B相反向無效電能'),
  reactiveExportedL3: of(reactiveEnergy, 'Reactive energy exported L3', 'C相反向无功电能', 'C相反向無效電能'),
  reactiveTotal: of(reactiveEnergy, 'Reactive energy total', '总无功电能', '總無效電能'),
  reactiveTotalL1: of(reactiveEnergy, 'Reactive energy total L1', 'A相总无功电能', 'A相總無效電能'),
  reactiveTotalL2: of(reactiveEnergy, 'Reactive energy total L2', 'B相总无功电能', 'B相總無效電能'),
  reactiveTotalL3: of(reactiveEnergy, 'Reactive energy total L3', 'C相总无功电能', 'C相總無效電能'),
  distortion: of(percent, 'Voltage distortion', '电压总谐波畸变率', '電壓總諧波失真率'),
  distortionL1: of(percent, 'Voltage distortion L1', 'A相电压总谐波畸变率', 'A相電壓總諧波失真率'),
  distortionL2: of(percent, 'Voltage distortion L2', 'B相电压总谐波畸变率', 'B相電壓總諧波失真率'),
  distortionL3: of(percent, 'Voltage distortion L3', 'C相电压总谐波畸变率', 'C相電壓總諧波失真率'),
  temperature: of(temperature, 'Temperature', '温度', '溫度'),
  humidity: of(humidity, 'Relative humidity', '相对湿度', '相對濕度'),
  temperatureCorrection: of(celsiusSetting, 'Temperature correction', '温度修正', '溫度修正'),
  humidityCorrection: of(humiditySetting, 'Humidity correction', '湿度修正', '濕度修正'),
  acPower: of(inverterPower, 'AC power', '交流有功功率', '交流有效功率'),
  dcPower: of(inverterPower, 'DC power', '直流功率', '直流功率'),
  dcVoltage: of(voltage, 'DC voltage', '直流电压', '直流電壓'),
  dcCurrent: of(current, 'DC current', '直流电流', '直流電流'),
  yield: of(energy, 'Energy yield', '累计发电量', '累計發電量'),
  meterPower: of(inverterPower, 'Meter power', '电表功率', '電表功率'),
  gridPower: of(
    inverterPower,
    'Grid power (export positive)',
    '电网有功功率（上网为正）',
    '電網有效功率（輸出為正）',
  ),
  gridVoltageL1: of(voltage, 'Grid voltage L1', '电网A相电压', '電網A相電壓'),
  gridVoltageL2: of(voltage, 'Grid voltage L2', '电网B相电压', '電網B相電壓'),
  gridVoltageL3: of(voltage, 'Grid voltage L3', '电网C相电压', '電網C相電壓'),
  gridCurrentL1: of(
    current,
    'Grid current L1 (export positive)',
    '电网A相电流（上网为正）',
    '電網A相電流（輸出為正）',
  ),
  gridCurrentL2: of(
    current,
    'Grid current L2 (export positive)',
    '电网B相电流（上网为正）',
    '電網B相電流（輸出為正）',
  ),
  gridCurrentL3: of(
    current,
    'Grid current L3 (export positive)',
    '电网C相电流（上网为正）',
    '電網C相電流（輸出為正）',
  ),
  gridExported: of(energy, 'Energy fed in', '上网电量', '饋入電量'),
  gridImported: of(energy, 'Energy drawn', '购网电量', '購電量'),
  cabinetTemperature: of(temperature, 'Cabinet temperature', '机箱温度', '機箱溫度'),
  operatingState: of(state, 'Operating state', '运行状态', '運轉狀態'),
} as const satisfies Record<string, Quantity>
