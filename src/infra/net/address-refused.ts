/**
 * A connection was refused because of its destination. A retry helps only when the name resolves to another address or
 * the configuration changes. The message may be shown to the customer who chose the address, because it reveals nothing
 * about our own network.
 */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ERR_ADDRESS_REFUSED';
}
