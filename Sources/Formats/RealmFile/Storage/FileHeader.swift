import FirnValues

/// The first 24 bytes of a Realm file.
///
///      0         8         16      20  21  22  23
///     | top A   | top B   | T-DB  | vA| vB| 0 | flags |     bit 0 of the flags: B is valid
///
/// A commit writes the half that is not selected, and then flips the bit: the selected half is
/// complete at any time, and the other half says nothing. A file that was written in one pass has
/// only ones for A, and its top at the end: top, then ``cookie``.
struct FileHeader {
    static let byteCount = 24
    /// The versions with the structures that this reader knows.
    private static let versions: Set<UInt8> = [10, 11, 20, 21, 22, 23, 24]
    private static let cookie: UInt64 = 0x3034_1252_37E5_26C8

    /// The position of the top array; 0 in an empty database.
    let top: UInt64
    let version: UInt8

    /// Reads the header of decrypted content.
    init(_ content: PageCache) throws(RealmFileError) {
        let size = content.size
        let bytes = try content.bytes(at: 0, count: FileHeader.byteCount)
        guard FileHeader.isMarked(bytes) else {
            throw RealmFileError(.notRealm, "this is not a Realm file")
        }
        guard size % 8 == 0 else {
            throw RealmFileError(.truncated, "the file ends inside a word of 8 bytes", at: size)
        }
        let isSecond = bytes.byte(23) & 1 == 1
        let selected = bytes.integer(isSecond ? 8 : 0, as: UInt64.self)
        version = bytes.byte(isSecond ? 21 : 20)
        if !isSecond, selected == .max {
            top = try FileHeader.footer(content)
        } else {
            top = selected
        }
        if top == 0, version == 0 { return }
        guard FileHeader.versions.contains(version) else {
            throw RealmFileError(
                .unknownVersion, FileHeader.refusal(of: version), at: isSecond ? 21 : 20)
        }
        guard top % 8 == 0 else {
            throw RealmFileError.damaged(
                "the position of the top array is not a multiple of 8", at: isSecond ? 8 : 0)
        }
        guard top < size else {
            throw RealmFileError(
                .truncated,
                "the file has \(size) bytes, but its content should begin at byte \(top)", at: size)
        }
    }

    /// Returns whether bytes at the beginning of a file have the mark of a Realm.
    static func isMarked(_ bytes: ByteSlice) -> Bool {
        bytes.count >= byteCount && bytes.integer(16, as: UInt32.self) == 0x42_44_2D_54
    }

    private static func footer(_ content: PageCache) throws(RealmFileError) -> UInt64 {
        guard content.size >= UInt64(byteCount + 16) else {
            throw RealmFileError(.truncated, "the end of the file is missing", at: content.size)
        }
        let footer = try content.bytes(at: content.size - 16, count: 16)
        guard footer.integer(8, as: UInt64.self) == cookie else {
            throw RealmFileError(.truncated, "the end of the file is missing", at: content.size)
        }
        return footer.integer(0, as: UInt64.self)
    }

    private static func refusal(of version: UInt8) -> String {
        let reason =
            switch version {
            case 1...9: ", which is too old"
            case 25...: ", which is newer than this program"
            default: ", which no released Realm wrote"
            }
        return "the file has format \(version)\(reason); formats 10, 11 and 20 to 24 can be read"
    }
}
