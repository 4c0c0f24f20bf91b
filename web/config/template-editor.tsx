import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { getConfigValues } from '#schema/config/config-many'
import { getConfigTemplate } from '#schema/config/config-template'
import { Drawer } from '../kit/dialog.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { useLeave } from '../kit/form/leave.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { chosenFrom } from './chosen-fields.ts'
import { pageWords } from './config-pages.ts'
import { type Begun, begunWith, type EditedTemplate, type Stored, TemplateForm } from './template-form.tsx'
import type { Settings } from './template-sides.ts'

// Before the first page is drawn; this module is loaded when the editor is opened.
await loadWords([
  ...pageWords,
  'config',
  'config-many',
  'config-template',
  'upgrade',
  'device-state',
  'severity',
])

const DEFAULT_PLACE = 100
type Props = { opened: boolean; onClose: () => void; edited: EditedTemplate }
const EMPTY: Begun = {
  settings: {
    name: '',
    remark: '',
    everywhere: false,
    groupIds: [],
    devices: [],
    place: DEFAULT_PLACE,
    chosen: {},
  },
  customerId: undefined,
  edition: undefined,
}

/** A template: its settings, where it holds, and what that would change, before it is saved. */
export function TemplateEditor({ opened, onClose, edited }: Props) {
  const { id, fromId } = edited
  const stored = useCall(getConfigTemplate, { id: id ?? 0 }, { enabled: id !== null, once: true })
  const from = useCall(
    getConfigValues,
    { deviceId: fromId ?? 0 },
    { enabled: fromId !== undefined, once: true },
  )
  const [begun, setBegun] = useState<Begun | null>(null)
  const [isEdited, setEdited] = useState(false)
  const { close, leave } = useLeave(`template ${id ?? 'new'}`, opened && isEdited, onClose)
  const found = stored.data
  const read = from.data
  useEffect(() => {
    if (begun !== null) return
    const start = (chosen: Settings['chosen']) =>
      setBegun({ ...EMPTY, settings: { ...EMPTY.settings, chosen } })
    if (id !== null && found) setBegun(begunWith(found))
    else if (id === null && fromId === undefined) start({})
    else if (id === null && read) start(chosenFrom(read.pages))
  }, [id, fromId, found, read, begun])
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={t(id === null ? 'config-template:create' : 'config-template:edit')}
      size={920}
    >
      {begun ? (
        <TemplateForm
          {...edited}
          begun={begun}
          again={async () => (await stored.refetch({ throwOnError: true })).data as Stored}
          onEdit={setEdited}
          onCancel={close}
          onSaved={leave}
        />
      ) : (
        <>
          <ReadBar read={id === null ? from : stored} />
          {(id === null ? from : stored).error ? null : <Skeleton h={320} />}
        </>
      )}
    </Drawer>
  )
}
