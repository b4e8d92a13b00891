import Firn
import FirnPlatform
import FirnTesting
import Foundation

/// A folder with a Realm file, and with the database that it becomes.
struct ImportFolder {
    let folder = TemporaryFolder()
    var configuration: Realm.Configuration

    init(_ types: [ObjectBase.Type] = [Thing.self], schemaVersion: UInt64 = 0) {
        configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder("new.firn")), schemaVersion: schemaVersion,
            objectTypes: types)
    }

    var old: URL { URL(fileURLWithPath: folder("old.realm")) }

    /// Writes a sample, changed by a closure.
    func put(_ name: String, _ change: (inout [UInt8]) -> Void = { _ in }) throws {
        var bytes = try RealmSample.bytes(name)
        change(&bytes)
        try DatabaseImage.put(bytes, at: old.path)
    }
}
