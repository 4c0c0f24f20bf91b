import { refusal } from '../kit/refusal.ts'

export const viewRefusals = {
  viewNameExists: refusal(
    150,
    '已有同名视图：{name}',
    '已有同名檢視：{name}',
    'A view named {name} exists already',
  ),
  viewTooMany: refusal(
    151,
    '每个列表最多保存 {max} 个视图',
    '每個清單最多儲存 {max} 個檢視',
    'At most {max} views are kept of one list',
  ),
}
