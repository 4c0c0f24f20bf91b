/** Names of the demonstration, in the default language of the product. */
import type { Model } from '#device-sim/models'

export const demoNames = {
  customer: '演示客户',
  contact: '李伟',
  address: '上海市浦东新区世纪大道 100 号',
  root: '默认分组',
  north: '北方区域',
  south: '南方区域',
  kiosks: '自助终端',
  platformUser: '演示平台管理员',
  administrator: '演示客户管理员',
  user: '演示操作员',
  onCall: '值班人员',
  remark: '演示',
  note: '现场断电，已恢复供电',
  project: '演示园区能耗',
  panel: '配电室总览',
  /** The number comes first, because names may be truncated, and has two digits, so that names sort correctly. */
  terminal: (equipment: string, unit: number) => `${String(unit).padStart(2, '0')}号 ${equipment}`,
  tooHigh: (variable: string) => `${variable}过高`,
  hall: (n: number) => `${n}号配电室`,
  firmware: (model: string) => `${model} 固件`,
  upgrade: (model: string, version: string) => `${model} 升级到 ${version}`,
} as const

/** By the city name of the simulator: its local name, and a street there. */
const places: Readonly<Record<string, readonly [city: string, street: string]>> = {
  Shanghai: ['上海', '上海市浦东新区张杨路'],
  Beijing: ['北京', '北京市朝阳区建国路'],
  Guangzhou: ['广州', '广州市天河区体育西路'],
  Shenzhen: ['深圳', '深圳市南山区科苑路'],
  Chengdu: ['成都', '成都市高新区天府大道'],
  Chongqing: ['重庆', '重庆市渝中区民生路'],
  Wuhan: ['武汉', '武汉市江汉区解放大道'],
  "Xi'an": ['西安', '西安市雁塔区科技路'],
  Hangzhou: ['杭州', '杭州市西湖区文三路'],
  Nanjing: ['南京', '南京市鼓楼区中山路'],
  Xiamen: ['厦门', '厦门市思明区湖滨南路'],
  Harbin: ['哈尔滨', '哈尔滨市南岗区中山路'],
  Urumqi: ['乌鲁木齐', '乌鲁木齐市天山区解放北路'],
  Kunming: ['昆明', '昆明市五华区人民中路'],
  Singapore: ['新加坡', '新加坡乌节路'],
  Tokyo: ['东京', '东京都港区芝公园'],
  Frankfurt: ['法兰克福', '法兰克福采尔大街'],
  Madrid: ['马德里', '马德里阿尔卡拉街'],
  Chicago: ['芝加哥', '芝加哥密歇根大道'],
  'São Paulo': ['圣保罗', '圣保罗保利斯塔大道'],
}

const kinds: Readonly<Record<Model['hardwareType'], string>> = {
  router: '路由器',
  gateway: '网关',
  printServer: '打印服务器',
  serialServer: '串口服务器',
}

/** `number` counts the fleet from 1: it makes the name unique and is the house number. */
export function demoDevice(city: string, hardwareType: Model['hardwareType'], number: number) {
  const [called, street] = places[city] ?? [city, city]
  return {
    name: `${called}${kinds[hardwareType]} ${String(number).padStart(2, '0')}`,
    address: `${street} ${number * 8 + 3} 号`,
  }
}
