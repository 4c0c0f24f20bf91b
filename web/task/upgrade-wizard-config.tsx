import { Text } from '@mantine/core'
import type { RowOf } from '#schema/kit/list'
import { configFileListScreen, configFileUploadPermission, getConfigFileList } from '#schema/task/config-file'
import type { ChosenFile } from './upgrade-draft.ts'
import { fileStep } from './upgrade-wizard-file.tsx'

export const asChosen = ({ spId, name }: RowOf<typeof getConfigFileList>): ChosenFile => ({
  spId,
  name,
  version: null,
  model: null,
  type: 'config',
})

/** The first step of a batch configuration: which file. */
export const WizardConfig = fileStep(
  getConfigFileList,
  {
    label: 'config-task:field.file',
    search: 'config-task:wizard.search',
    none: 'config-task:wizard.noFile',
    noneText: 'config-task:wizard.noFileText',
    upload: 'config-file:upload.title',
  },
  { permission: configFileUploadPermission, path: `${configFileListScreen.path}?upload=1` },
  (row) => ({ name: row.name, title: <Text fw={600}>{row.name}</Text>, choice: asChosen(row) }),
)
