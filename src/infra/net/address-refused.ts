/**
 * A connection was not made because of where it would have gone. Trying again helps only when the name is
 * given another address, or the configuration changes. The message is a sentence that whoever chose the
 * address may read: it names nothing of our own network.
 */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ERR_ADDRESS_REFUSED';
}
