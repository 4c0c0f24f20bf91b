import { IconEraser, IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import {
  addCustomer,
  customerCreatePermission,
  customerDeletePermission,
  customerEditPermission,
  customerScreen,
  deleteCustomer,
  getCustomerList,
  modifyCustomer,
  serviceTypes,
} from '#schema/people/customer'
import { deleteDemonstration } from '#schema/people/demonstration'
import { recordingPolicies } from '#schema/remote/recording-policy'
import { Empty } from '../kit/empty.tsx'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row, RowAction } from '../kit/list/list-types.ts'
import { me } from '../kit/me.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { DemonstrationName } from '../people/demonstration-name.tsx'
import classes from '../people/people.module.css'
import { RoleField } from '../people/people-fields.tsx'
import { isPlatformUser } from '../people/people-options.ts'
import { imageIdOf, pictureField } from '../people/picture-field.tsx'

export const words: readonly Word[] = ['customer', 'user', 'role']

type Customer = Row<typeof getCustomerList>

const serviceText = (row: Customer) => t(`customer:service.${row.serviceType}`)
const serviceOptions = () => serviceTypes.map((value) => ({ value, label: t(`customer:service.${value}`) }))

const recordingText = (row: Customer) => t(`customer:recording.${row.terminalRecording}`)
const recordingOptions = () =>
  recordingPolicies.map((value) => ({ value, label: t(`customer:recording.${value}`) }))

const columns: readonly Column<Customer>[] = [
  {
    key: 'name',
    title: 'customer:field.name',
    width: 190,
    pinned: 'left',
    card: 'title',
    render: (row) => (row.demonstration ? <DemonstrationName name={row.name} /> : row.name),
    text: (row) => row.name,
  },
  { key: 'id', title: 'customer:field.id', width: 70, numeric: true },
  {
    key: 'logo',
    title: 'customer:field.logo',
    width: 90,
    render: (row) => (row.logo ? <img className={classes['logo']} src={row.logo} alt={row.name} /> : '–'),
    text: () => null,
  },
  { key: 'administrator', title: 'customer:field.administrator', width: 130 },
  { key: 'contact', title: 'customer:field.contact', width: 100 },
  { key: 'phone', title: 'customer:field.phone', width: 145 },
  { key: 'email', title: 'customer:field.email', width: 190 },
  { key: 'address', title: 'customer:field.address', width: 200, extra: true },
  {
    key: 'serviceType',
    title: 'customer:field.serviceType',
    width: 120,
    card: 'beside',
    render: serviceText,
    text: serviceText,
  },
  {
    key: 'deviceCount',
    title: 'customer:field.deviceCount',
    width: 85,
    numeric: true,
    render: (row) => number(row.deviceCount),
  },
  {
    key: 'userCount',
    title: 'customer:field.userCount',
    width: 85,
    numeric: true,
    render: (row) => number(row.userCount),
  },
  {
    key: 'totpRequired',
    title: 'customer:field.totpRequired',
    width: 120,
    render: (row) =>
      row.totpRequired ? <StatusChip tone="online" label={t('customer:totp.on')} /> : t('customer:totp.off'),
    text: (row) => t(row.totpRequired ? 'customer:totp.on' : 'customer:totp.off'),
  },
  {
    key: 'terminalRecording',
    title: 'customer:field.terminalRecording',
    width: 150,
    extra: true,
    render: recordingText,
    text: recordingText,
  },
  { key: 'copyright', title: 'customer:field.copyright', width: 200, extra: true },
  {
    key: 'createdAt',
    title: 'customer:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  { key: 'serviceType', label: 'customer:field.serviceType', useOptions: serviceOptions },
]

const LogoField = pictureField('logo')
const withAdministrator = (values: FormValues) => values['username'] !== ''

const own: readonly (Field | string)[] = [
  { name: 'name', required: true },
  'contact',
  'phone',
  'email',
  'address',
  {
    name: 'serviceType',
    required: true,
    useOptions: serviceOptions,
  },
  { name: 'logo', Draw: LogoField },
  { name: 'copyright', hint: 'customer:copyrightHint' },
  {
    name: 'totpRequired',
    hint: 'customer:totp.hint',
  },
  {
    name: 'terminalRecording',
    required: true,
    hint: 'customer:recording.hint',
    useOptions: recordingOptions,
  },
  {
    name: 'remoteTargets',
    hint: 'customer:hint.remoteTargets',
    placeholder: '192.168.1.0/24:80,443',
  },
]
const administrator: readonly (Field | string)[] = [
  { name: 'username', hint: 'customer:admin.hint' },
  {
    name: 'password',
    hint: 'user:passwordRule',
    required: true,
    when: withAdministrator,
  },
  {
    name: 'confirmPassword',
    required: true,
    when: withAdministrator,
  },
  { name: 'roleId', required: true, when: withAdministrator, Draw: RoleField },
  { name: 'monState', when: withAdministrator },
]

const editor = listEditor({
  list: getCustomerList,
  fields: (row) => (row ? own : [...own, ...administrator]),
  success: 'customer:saved',
  create: {
    call: addCustomer,
    title: 'customer:create',
    permission: customerCreatePermission,
    initial: { serviceType: 'standard', terminalRecording: 'on' },
  },
  edit: {
    call: modifyCustomer,
    title: (row) => t('customer:edit', { name: row.name }),
    permission: customerEditPermission,
    fixed: ({ id }) => ({ customerId: id }),
    values: ({
      name,
      contact,
      phone,
      email,
      address,
      serviceType,
      logo,
      copyright,
      totpRequired,
      terminalRecording,
      remoteTargets,
    }) => ({
      name,
      contact: contact ?? '',
      phone: phone ?? '',
      email: email ?? '',
      address: address ?? '',
      serviceType,
      logo: imageIdOf(logo),
      copyright: copyright ?? '',
      totpRequired,
      terminalRecording,
      remoteTargets: remoteTargets ?? '',
    }),
  },
})

const removeDemonstration = (row: Customer): RowAction => ({
  key: 'demonstration',
  label: t('customer:demonstration.remove'),
  icon: IconEraser,
  permission: customerDeletePermission,
  danger: true,
  run: () =>
    void deleteRow({
      call: deleteDemonstration,
      body: {},
      title: t('customer:demonstration.title', { name: row.name }),
      text: t('customer:demonstration.text', {
        devices: number(row.deviceCount),
        users: number(row.userCount),
      }),
      done: t('customer:demonstration.done'),
      refreshes: [getCustomerList],
    }),
})

/** The server decides; this only avoids the question in obvious cases. */
const whyKept = (row: Customer) =>
  row.deviceCount > 0 || row.userCount > 0
    ? t('customer:remove.owns', { devices: number(row.deviceCount), users: number(row.userCount) })
    : null

export const Page = listPage({
  screen: customerScreen,
  call: getCustomerList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'customer:searchPlaceholder',
  exportName: 'customers',
  rowActions: (row) => [
    editor.edit(row),
    ...(row.demonstration && me().user.userType === 'superAdmin' ? [removeDemonstration(row)] : []),
    {
      key: 'remove',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: customerDeletePermission,
      danger: true,
      reason: whyKept(row),
      run: () =>
        void deleteRow({
          call: deleteCustomer,
          body: { customerId: row.id },
          title: t('customer:remove.title', { name: row.name }),
          text: t('customer:remove.text'),
          done: t('customer:remove.done', { name: row.name }),
          refreshes: [getCustomerList],
        }),
    },
  ],
  // A customer's own administrator sees their customer here, but cannot create others.
  Actions: (context) => (isPlatformUser() ? <editor.Actions {...context} /> : null),
  empty: () => (
    <Empty
      title={t('customer:first.title')}
      text={t('customer:first.text')}
      action={<editor.CreateButton />}
    />
  ),
})
