import { refusal } from '../kit/refusal.ts'

/** Two people edit the same thing [decisions/059]. */
export const editionRefusals = {
  changedMeanwhile: refusal(
    310,
    '您编辑期间内容已被他人修改{told}，未保存',
    '您編輯期間內容已被他人修改{told}，未儲存',
    'Somebody else changed it while you were editing{told}. Nothing was saved',
  ),
}
