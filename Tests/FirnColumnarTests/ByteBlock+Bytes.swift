@testable import FirnColumnar

extension ByteBlock {
    /// Creates a block with some bytes.
    convenience init(_ bytes: some Collection<UInt8>) {
        self.init(capacity: bytes.count)
        writable.copyBytes(from: bytes)
    }
}

extension ByteOutput {
    /// The bytes so far, as a block that cursors can read.
    var block: ByteBlock { ByteBlock(bytes) }
}
