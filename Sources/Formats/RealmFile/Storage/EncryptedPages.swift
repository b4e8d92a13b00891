import CCrypto
import FirnPlatform
import FirnValues

/// The pages of an encrypted file.
///
/// Each group of 64 data pages follows a page of their metadata. All have 4096 bytes.
///
///     page   0     1 ... 64     65     66 ... 129     130 ...
///          | meta | data 0-63 | meta | data 64-127 | meta ...
///
///     entry of 64 bytes:  | iv1 u32 | hmac1, 28 bytes | iv2 u32 | hmac2, 28 bytes |
///
/// A page is valid with the first pair, or, if the process that wrote it died between the metadata
/// and the page, with the second pair.
final class EncryptedPages: PageProvider {
    static let keyCount = 64
    private static let unit = 4096
    private static let groupPages = 64
    private static let entryBytes = 64
    private static let codeBytes = 28

    private let file: any RandomAccess
    private let cipherKey: [UInt8]
    private let macKey: [UInt8]
    /// The metadata page read last.
    private var metadata: (group: UInt64, bytes: ByteSlice)?
    /// One encrypted page.
    private let encrypted = PageBuffer(count: EncryptedPages.unit)
    let size: UInt64
    let pageSize = EncryptedPages.unit

    /// Creates pages of a file that ``looksEncrypted(_:)``, or that is not a plain one.
    init(_ file: any RandomAccess, key: [UInt8]) throws(RealmFileError) {
        guard key.count == Self.keyCount else {
            throw RealmFileError(
                .wrongKey, "the key has \(key.count) bytes; a Realm key has \(Self.keyCount)")
        }
        let unit = UInt64(Self.unit)
        guard file.size >= 2 * unit else {
            throw RealmFileError(.notRealm, "this is not a Realm file")
        }
        guard file.size % unit == 0 else {
            throw RealmFileError(
                .truncated, "the file ends inside a page of 4096 bytes", at: file.size)
        }
        self.file = file
        cipherKey = Array(key[..<32])
        macKey = Array(key[32...])
        let pages = file.size / unit
        let group = UInt64(Self.groupPages)
        size = (pages - (pages + group) / (group + 1)) * unit
    }

    /// Returns whether a file without the mark of a Realm has the metadata of an encrypted one.
    ///
    /// The counters of writes are small numbers, that of the first page is not 0, and the entries
    /// after that of the last page are zeros.
    static func looksEncrypted(_ file: any RandomAccess) throws(RealmFileError) -> Bool {
        let unit = UInt64(Self.unit)
        guard file.size >= 2 * unit, file.size % unit == 0 else { return false }
        let bytes = try file.bytes(at: 0, count: Self.unit)
        let counters = stride(from: 0, to: Self.unit, by: Self.entryBytes / 2).map { offset in
            bytes.integer(offset, as: UInt32.self)
        }
        guard counters[0] > 0, counters.allSatisfy({ $0 < 1 << 28 }),
            (4..<32).contains(where: { bytes.byte($0) != 0 })
        else { return false }
        let pages = min(file.size / unit - 1, UInt64(Self.groupPages))
        let rest = Int(pages) * Self.entryBytes
        return (rest..<Self.unit).allSatisfy { bytes.byte($0) == 0 }
    }

    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(RealmFileError) {
        var done = 0
        while done < buffer.count {
            let page = UnsafeMutableRawBufferPointer(
                rebasing: buffer[done..<min(done + Self.unit, buffer.count)])
            try read(page: (offset + UInt64(done)) / UInt64(Self.unit), into: page)
            done += page.count
        }
    }

    private func read(
        page: UInt64, into target: UnsafeMutableRawBufferPointer
    ) throws(RealmFileError) {
        let entry = try self.entry(of: page)
        let first = entry.integer(0, as: UInt32.self)
        let second = entry.integer(32, as: UInt32.self)
        guard first != 0 else {
            // Space that was never written.
            target.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        let unit = UInt64(Self.unit)
        let group = UInt64(Self.groupPages)
        try file.readAll(at: (page + page / group + 1) * unit, into: encrypted.bytes)
        let code = try authenticationCode()
        func isCode(_ offset: Int) -> Bool {
            (0..<Self.codeBytes).allSatisfy { code[$0] == entry.byte(offset + $0) }
        }
        if isCode(4) {
            try decrypt(page, first, into: target)
        } else if second != 0, isCode(36) {
            try decrypt(page, second, into: target)
        } else if encrypted.bytes.allSatisfy({ $0 == 0 }) {
            // Space whose first write was interrupted.
            target.initializeMemory(as: UInt8.self, repeating: 0)
        } else if page == 0 {
            throw RealmFileError(.wrongKey, "the key is not the key of this file")
        } else {
            throw RealmFileError.damaged(
                "the page does not have the authentication code of its metadata", at: page * unit)
        }
    }

    private func entry(of page: UInt64) throws(RealmFileError) -> ByteSlice {
        let pages = UInt64(Self.groupPages)
        let (group, index) = page.quotientAndRemainder(dividingBy: pages)
        let bytes: ByteSlice
        if let metadata, metadata.group == group {
            bytes = metadata.bytes
        } else {
            bytes = try file.bytes(
                at: group * (pages + 1) * UInt64(Self.unit), count: Self.unit)
            metadata = (group, bytes)
        }
        return bytes.part(from: Int(index) * Self.entryBytes, count: Self.entryBytes)
    }

    private func authenticationCode() throws(RealmFileError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Self.codeBytes)
        let message = encrypted.start.assumingMemoryBound(to: UInt8.self)
        guard firn_hmac_sha224(macKey, macKey.count, message, Self.unit, &code) != 0 else {
            throw RealmFileError(.unreadable, "the authentication code cannot be computed")
        }
        return code
    }

    /// Decrypts the page that was read last.
    private func decrypt(
        _ page: UInt64, _ counter: UInt32, into target: UnsafeMutableRawBufferPointer
    ) throws(RealmFileError) {
        var vector = [UInt8](repeating: 0, count: 16)
        withUnsafeBytes(of: counter.littleEndian) { vector.replaceSubrange(0..<4, with: $0) }
        let offset = page * UInt64(Self.unit)
        withUnsafeBytes(of: offset.littleEndian) { vector.replaceSubrange(4..<12, with: $0) }
        let decrypted = PageBuffer(count: Self.unit)
        let isDone = firn_aes256_cbc_decrypt(
            cipherKey, vector, encrypted.start.assumingMemoryBound(to: UInt8.self),
            decrypted.start.assumingMemoryBound(to: UInt8.self), Self.unit)
        guard isDone != 0 else {
            throw RealmFileError(.unreadable, "the page cannot be decrypted", at: offset)
        }
        let wanted = UnsafeRawBufferPointer(start: decrypted.start, count: target.count)
        target.copyMemory(from: wanted)
    }
}
