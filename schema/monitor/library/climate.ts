/** Temperature and humidity. */
import { at, type LibraryTemplate } from './library-template.ts'

export const xyMd02: LibraryTemplate = {
  key: 'xy-md02',
  name: ['XY-MD02 temperature and humidity sensor', 'XY-MD02 温湿度变送器', 'XY-MD02 溫濕度傳送器'],
  type: 'climate',
  vendor: 'XY',
  models: ['XY-MD01', 'XY-MD02', 'MD02'],
  protocols: ['rtu'],
  serial: { baudRate: 9_600, parity: 'none', dataBits: 8, stopBits: 1 },
  byteOrder: 'ABCD',
  maxGap: 0,
  probe: { key: 'temperature', between: [-20, 60] },
  notes: [
    ['Some units come with even parity.', '部分产品出厂为偶校验。', '部分產品出廠為偶同位。'],
    [
      'The variant MD02 keeps its slave address at register 256 and its baud rate at 257; the others at 257 and 258.',
      'MD02 型号的从站地址在寄存器 256、波特率在 257；其他型号在 257 和 258。',
      'MD02 型號的從站位址在暫存器 256、鮑率在 257；其他型號在 257 和 258。',
    ],
  ],
  source: {
    document: 'XY-MD02 temperature and humidity transmitter, Modbus RTU manual',
    read: 't-teja/Sensors, groupsky/ya-modbus and Nordmanngrowtechnology/Modbus-RTU_SHT-20-MD02-Test, which agree',
  },
  sourced: true,
  variables: [
    ...at('input', 'int16', { temperature: 1 }, { factor: 0.1, min: -40, max: 80 }),
    ...at('input', 'uint16', { humidity: 2 }, { factor: 0.1, min: 0, max: 100 }),
    ...at(
      'holding',
      'int16',
      { temperatureCorrection: 259, humidityCorrection: 260 },
      { factor: 0.1, access: 'readWrite', min: -10, max: 10 },
    ),
  ],
}
