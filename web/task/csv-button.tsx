import { ActionIcon } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { t } from '../kit/i18n.ts'
import { reportError } from '../kit/query.ts'
import { saveCsv } from '../kit/transfer.ts'

/** Saves what a card shows. */
export function CsvButton({ csv, name }: { csv: () => string | Promise<string>; name: string }) {
  const save = async () => {
    try {
      saveCsv(await csv(), name)
    } catch (error) {
      reportError(error)
    }
  }
  return (
    <ActionIcon
      variant="subtle"
      aria-label={t('list:export')}
      title={t('list:export')}
      onClick={() => void save()}
    >
      <IconDownload size={16} stroke={1.5} />
    </ActionIcon>
  )
}
