/** The device runs nothing anymore, not even what it ran before. Only a new process can use it again. */
export class DeviceBroken extends Error {
  override readonly name = 'DeviceBroken';
}
