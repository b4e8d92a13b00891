// `Realm()` failed where the folder of the default file did not exist, as on a new account or in a
// container. Realm makes that folder. A folder that the program names is its own business.

import Firn
import FirnTesting
import Foundation
import Testing

@Suite("The folder of a realm")
struct DefaultFolderTests {
    @Test("is made for the default file")
    func made() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            for name in ["HOME", "CFFIXED_USER_HOME"] { setenv(name, folder("home"), 1) }
            setenv("XDG_DOCUMENTS_DIR", folder("home/my documents"), 1)
            let url = Realm.Configuration.defaultFileURL
            guard url.path.hasPrefix(folder("home")) else { fatalError("\(url.path)") }
            Realm.Configuration.defaultConfiguration.objectTypes = [Person.self]
            let count = try await TestRealm.elsewhere {
                let realm = try Realm()
                try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
                return realm.objects(Person.self).count
            }
            guard count == 1, FileManager.default.fileExists(atPath: url.path) else { exit(1) }
        }
    }

    @Test("is not made for a file that the program names")
    func named() throws {
        let folder = TemporaryFolder()
        var configuration = Realm.Configuration(objectTypes: [Person.self])
        configuration.fileURL = URL(fileURLWithPath: folder("none/test.firn"))
        #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(!FileManager.default.fileExists(atPath: folder("none")))
    }
}
