// `Realm()` failed if the folder of the default file did not exist, as for a new user account or in
// a container. Realm creates that folder, but not a folder that the program names.

import Firn
import FirnTesting
import Foundation
import Testing

@Suite("The folder of a realm file")
struct DefaultFolderTests {
    @Test("The folder of the default file is created")
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

    @Test("The folder of a file that the program names is not created")
    func named() throws {
        let folder = TemporaryFolder()
        var configuration = Realm.Configuration(objectTypes: [Person.self])
        configuration.fileURL = URL(fileURLWithPath: folder("none/test.firn"))
        #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(!FileManager.default.fileExists(atPath: folder("none")))
    }
}
