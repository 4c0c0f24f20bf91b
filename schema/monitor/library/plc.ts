/** PLCs: their operands at the addresses that their manufacturers document. */
import { type LibraryTemplate, type LocalText, numbered } from './library-template.ts'

const upTo = (last: number, from = 0) => Array.from({ length: last - from + 1 }, (_, i) => String(from + i))
const word =
  (english: string, simplified: string, traditional: string, sign: string) =>
  (n: string): LocalText => [
    `${english} ${sign}${n}`,
    `${simplified} ${sign}${n}`,
    `${traditional} ${sign}${n}`,
  ]

const written = { access: 'readWrite' } as const

export const deltaDvp: LibraryTemplate = {
  key: 'delta-dvp-es2',
  name: [
    'Delta DVP ES2/EX2/SS2/SA2/SX2 PLC',
    '台达 DVP ES2/EX2/SS2/SA2/SX2 可编程控制器',
    '台達 DVP ES2/EX2/SS2/SA2/SX2 可程式控制器',
  ],
  type: 'plc',
  vendor: 'Delta',
  models: ['DVP-ES2', 'DVP-EX2', 'DVP-SS2', 'DVP-SA2', 'DVP-SX2'],
  protocols: ['rtu'],
  serial: { baudRate: 9_600, parity: 'even', dataBits: 8, stopBits: 1 },
  byteOrder: 'CDAB',
  maxRegisters: 100,
  notes: [
    [
      'May be delivered with Modbus ASCII 7E1: then set RTU in D1120 and M1143 first.',
      '出厂设置可能为 Modbus ASCII 7E1：此时须先在 D1120 和 M1143 中设为 RTU。',
      '出廠設定可能為 Modbus ASCII 7E1：此時須先在 D1120 和 M1143 中設為 RTU。',
    ],
    ['Inputs and outputs are numbered in octal.', '输入和输出按八进制编号。', '輸入和輸出採八進位編號。'],
  ],
  source: {
    document: 'Delta DVP-ES2 programming manual, table 4.4 (pages 4-11 to 4-13)',
    read: 'the manual; the base of D from general knowledge',
  },
  sourced: true,
  variables: [
    ...numbered(
      'coil',
      'bool',
      { key: 'y', name: word('Output', '输出', '輸出', 'Y'), from: 0x0500, names: upTo(7) },
      written,
    ),
    ...numbered(
      'coil',
      'bool',
      { key: 'm', name: word('Marker', '辅助继电器', '輔助繼電器', 'M'), from: 0x0800, names: upTo(3) },
      written,
    ),
    ...numbered('discrete', 'bool', {
      key: 'x',
      name: word('Input', '输入', '輸入', 'X'),
      from: 0x0400,
      names: upTo(7),
    }),
    ...numbered('holding', 'uint16', {
      key: 'c',
      name: word('Counter', '计数器', '計數器', 'C'),
      from: 0x0e00,
      names: upTo(1),
    }),
    ...numbered(
      'holding',
      'int16',
      { key: 'd', name: word('Register', '数据寄存器', '資料暫存器', 'D'), from: 0x1000, names: upTo(3) },
      written,
    ),
  ],
}

export const siemensLogo8: LibraryTemplate = {
  key: 'siemens-logo8',
  name: ['Siemens LOGO! 8 logic module', '西门子 LOGO! 8 逻辑模块', '西門子 LOGO! 8 邏輯模組'],
  type: 'plc',
  vendor: 'Siemens',
  models: ['LOGO! 8 (0BA8)'],
  protocols: ['tcp'],
  byteOrder: 'ABCD',
  maxGap: 0,
  notes: [
    [
      'Not compared with a device: test-read each variable before use.',
      '尚未与实际设备核对：使用前请逐一试读变量。',
      '尚未與實際裝置核對：使用前請逐一試讀變數。',
    ],
  ],
  source: { document: 'Siemens LOGO! 8 online help, Modbus address table', read: 'general knowledge' },
  sourced: false,
  variables: [
    ...numbered('discrete', 'bool', {
      key: 'i',
      name: word('Input', '输入', '輸入', 'I'),
      from: 0,
      names: upTo(8, 1),
    }),
    ...numbered('coil', 'bool', {
      key: 'q',
      name: word('Output', '输出', '輸出', 'Q'),
      from: 8192,
      names: upTo(4, 1),
    }),
    ...numbered('coil', 'bool', {
      key: 'm',
      name: word('Flag', '标志', '旗標', 'M'),
      from: 8256,
      names: upTo(4, 1),
    }),
    ...numbered(
      'input',
      'uint16',
      { key: 'ai', name: word('Analogue input', '模拟量输入', '類比輸入', 'AI'), from: 0, names: upTo(4, 1) },
      { min: 0, max: 1_000 },
    ),
    ...numbered(
      'holding',
      'uint16',
      {
        key: 'aq',
        name: word('Analogue output', '模拟量输出', '類比輸出', 'AQ'),
        from: 512,
        names: upTo(2, 1),
      },
      { min: 0, max: 1_000 },
    ),
    ...numbered(
      'holding',
      'int16',
      {
        key: 'vw',
        name: word('Variable memory', '变量存储', '變數記憶體', 'VW'),
        from: 0,
        names: ['0', '2', '4', '6'],
      },
      written,
    ),
  ],
}
