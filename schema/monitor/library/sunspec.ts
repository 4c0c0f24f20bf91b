/** Equipment by the SunSpec standard, with the usual beginning of the map; other maps are walked when commissioning (web/commissioning/sunspec-map.tsx). */
import { modelVariables } from '../template/sunspec.ts'
import type { LibraryTemplate, LocalText } from './library-template.ts'

/** After "SunS" at 40000 and the common model with 66 registers. */
const FIRST_MODEL = 40_070

const usualPlace: LocalText = [
  'For devices whose map begins at 40000 and whose common model has 66 registers. For others, “Commissioning” finds the map and makes a template of it.',
  '适用于映射表起始于 40000 且公共模型为 66 个寄存器的设备；其他设备请在“调试”页面查找其映射表并生成模板。',
  '適用於對應表起始於 40000 且通用模型為 66 個暫存器的裝置；其他裝置請在「現場測試」頁面尋找其對應表並產生範本。',
]
const shared = {
  vendor: 'SunSpec Alliance',
  protocols: ['tcp', 'rtu'],
  byteOrder: 'ABCD',
  notes: [usualPlace],
  source: {
    document: 'SunSpec Information Model Reference',
    read: 'sunspec/models json/model_103.json and model_203.json (Apache-2.0)',
  },
  sourced: true,
} as const

export const sunspecInverter: LibraryTemplate = {
  ...shared,
  key: 'sunspec-inverter',
  name: [
    'SunSpec three-phase inverter (model 103)',
    'SunSpec 三相逆变器（模型 103）',
    'SunSpec 三相逆變器（模型 103）',
  ],
  type: 'inverter',
  models: ['SunSpec 103'],
  variables: modelVariables({ id: 103, address: FIRST_MODEL }),
}

export const sunspecMeter: LibraryTemplate = {
  ...shared,
  key: 'sunspec-meter',
  name: [
    'SunSpec three-phase meter (model 203)',
    'SunSpec 三相电能表（模型 203）',
    'SunSpec 三相電表（模型 203）',
  ],
  type: 'powerMeter',
  models: ['SunSpec 203'],
  variables: modelVariables({ id: 203, address: FIRST_MODEL }),
}
