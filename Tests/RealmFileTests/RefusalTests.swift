import FirnPlatform
import FirnTesting
import RealmFile
import Testing

/// Files that cannot be read, each kind with a reason and a remedy of its own.
@Suite("Realm files that cannot be read")
struct RefusalTests {
    func failure(_ bytes: [UInt8], key: [UInt8]? = nil) -> RealmFileError? {
        do throws(RealmFileError) {
            _ = try SampleDump.text(try RealmReader(MemoryAccessor(bytes), key: key))
            return nil
        } catch { return error }
    }

    @Test("Other bytes are not a Realm file")
    func other() throws {
        #expect(failure(Array("id,name\n1,Ada\n2,Bo\n3,Cy\n4,Di\n".utf8))?.code == .notRealm)
        #expect(failure([1, 2, 3])?.code == .notRealm)
        #expect(failure([UInt8](repeating: 0, count: 8192))?.code == .notRealm)
        #expect(failure([UInt8](repeating: 65, count: 8192))?.code == .notRealm)
    }

    @Test(
        "The error for a format that is too old, too new or unknown names it",
        arguments: [1, 9, 12, 19, 25])
    func version(_ version: UInt8) throws {
        var bytes = try RealmSample.bytes("streaming")
        bytes[20] = version
        let error = try #require(failure(bytes))
        #expect(error.code == .unknownVersion)
        #expect(error.detail.contains("format \(version)"), "\(error)")
        #expect(error.remedy?.contains("Realm itself") == true)
    }

    @Test("An encrypted file needs its key")
    func keyNeeded() throws {
        let bytes = try RealmSample.bytes("encrypted-streaming")
        #expect(failure(bytes)?.code == .keyNeeded)
        #expect(failure(bytes, key: Array(0..<32))?.code == .wrongKey)
    }

    @Test("A key that is wrong in either half is detected", arguments: [0, 40])
    func wrongKey(_ index: Int) throws {
        var key = RealmSample.key
        key[index] ^= 1
        let error = failure(try RealmSample.bytes("encrypted-streaming"), key: key)
        #expect(error?.code == .wrongKey)
    }

    @Test("A truncated file is detected at its end")
    func cut() throws {
        let streaming = try RealmSample.bytes("streaming")
        #expect(failure(streaming.dropLast(64))?.code == .truncated)
        #expect(failure(streaming.dropLast(3))?.code == .truncated)
        let other = try RealmSample.bytes("unclean2")
        #expect(failure(Array(other[..<32768]))?.code == .truncated)
        let encrypted = try RealmSample.bytes("encrypted-streaming")
        #expect(failure(encrypted.dropLast(100), key: RealmSample.key)?.code == .truncated)
        #expect(failure(encrypted.dropLast(4096), key: RealmSample.key)?.code == .truncated)
    }

    @Test("Damage is reported with its position")
    func damaged() throws {
        var bytes = try RealmSample.bytes("groupwrite")
        // The list of tables: its position is at 8 in the array at the end of the file.
        let top = bytes.count - 16 - 24
        for index in top..<top + 16 { bytes[index] ^= 0xFF }
        let error = try #require(failure(bytes))
        #expect(error.code == .damaged || error.code == .truncated)
        #expect(error.position != nil)
    }

    @Test("A changed page of an encrypted file is damage at its position")
    func damagedPage() throws {
        var bytes = try RealmSample.bytes("encrypted-streaming")
        bytes[3 * 4096 + 17] ^= 1
        let error = try #require(failure(bytes, key: RealmSample.key))
        #expect(error.code == .damaged)
        #expect(error.position == 2 * 4096)
    }

    @Test("A file that a process changes while it is read is in use")
    func changed() throws {
        let file = ChangingBytes(try RealmSample.bytes("streaming"))
        let reader = try RealmReader(file)
        try reader.checkUnchanged()
        file.bytes[23] ^= 1
        #expect { try reader.checkUnchanged() } throws: { error in
            (error as? RealmFileError)?.code == .inUse
        }
    }
}

extension RefusalTests {
    /// The reader took the first value of the column with the version of the schema without a look
    /// at the number of values, and trapped. The others are compared with the number of objects.
    @Test("A schema version without a value is damage")
    func emptyVersion() throws {
        let file = try RealmSample.bytes("types")
        let positions = stride(from: 24, to: file.count - 8, by: 8).filter { position in
            file[position..<position + 4].allSatisfy { $0 == 0x41 } && file[position + 7] == 1
                && file[position + 5] == 0 && file[position + 6] == 0
        }
        var found = 0
        for position in positions {
            var bytes = file
            bytes[position + 7] = 0
            do throws(RealmFileError) { _ = try RealmReader(MemoryAccessor(bytes)) } catch {
                if error.detail.contains("version of the schema") { found += 1 }
            }
        }
        #expect(found > 0)
    }
}
