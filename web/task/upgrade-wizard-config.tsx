import { Button, Group, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { RowOf } from '#schema/kit/list'
import { configFileListScreen, configFileUploadPermission, getConfigFileList } from '#schema/task/config-file'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import classes from './task.module.css'
import type { ChosenFile } from './upgrade-draft.ts'

/** Newest first; others are found by name. */
const SHOWN = 200

export const useConfigFiles = (enabled: boolean) =>
  useCall(getConfigFileList, { limit: SHOWN }, { enabled, refreshS: 5 })

export const asChosen = ({ spId, name }: RowOf<typeof getConfigFileList>): ChosenFile => ({
  spId,
  name,
  version: null,
  model: null,
  type: 'config',
})

type Props = { chosen: ChosenFile | null; onChoose: (row: ChosenFile) => void }

/** The first step of a batch configuration: which file. */
export function WizardConfig({ chosen, onChoose }: Props) {
  const files = useConfigFiles(true)
  const [search, setSearch] = useState('')
  const list = files.data?.list ?? []
  const wanted = search.trim().toLowerCase()
  const shown = list.filter(({ name, remark }) => `${name} ${remark ?? ''}`.toLowerCase().includes(wanted))
  const uploadButton = can(configFileUploadPermission) ? (
    <Button
      variant="default"
      leftSection={<IconUpload size={16} stroke={1.5} />}
      onClick={() => goTo(`${configFileListScreen.path}?upload=1`)}
    >
      {t('config-file:upload.title')}
    </Button>
  ) : null
  if (files.error && !files.data) return <ErrorBar error={files.error} />
  if (!files.data) return <Skeleton height={66} />
  if (list.length === 0)
    return (
      <Empty
        title={t('config-task:wizard.noFile')}
        text={t('config-task:wizard.noFileText')}
        action={uploadButton}
      />
    )
  return (
    <Stack gap="sm">
      <Group gap={8}>
        <TextInput
          type="search"
          flex="1 1 220px"
          aria-label={t('config-task:wizard.search')}
          placeholder={t('config-task:wizard.search')}
          leftSection={<IconSearch size={16} stroke={1.5} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {uploadButton}
      </Group>
      {shown.length === 0 ? <Empty kind="noMatch" /> : null}
      <div className={classes['scroll']} role="radiogroup" aria-label={t('config-task:field.file')}>
        {shown.map((row) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the radio is inside
          <label
            key={row.spId}
            className={classes['choice']}
            data-chosen={row.spId === chosen?.spId || undefined}
          >
            <Radio
              size="xs"
              mt={3}
              name="configFile"
              aria-label={row.name}
              checked={row.spId === chosen?.spId}
              onChange={() => onChoose(asChosen(row))}
            />
            <div style={{ flex: 1, minWidth: 0 }}>
              <Text fw={600}>{row.name}</Text>
              <Text size="xs" c="dimmed" component="div">
                {bytes(row.spFileSize)} · <When at={row.uploadedAt} />
              </Text>
              {row.remark ? (
                <Text size="xs" c="dimmed" truncate>
                  {row.remark}
                </Text>
              ) : null}
            </div>
          </label>
        ))}
      </div>
    </Stack>
  )
}
