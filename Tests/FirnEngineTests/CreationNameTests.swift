import FirnPlatform
import FirnTesting
import Glibc
import Testing

@testable import FirnEngine

/// A database is created under a temporary name in the same folder, where other users may write,
/// too.
@Suite("Databases during their creation")
struct CreationNameTests {
    @Test(
        "A file or link planted at the temporary name is never written to", .tags(.security),
        arguments: [true, false])
    func planted(isLink: Bool) throws {
        let folder = TemporaryFolder()
        let (victim, path) = (folder("victim"), folder("a.firn"))
        try DatabaseImage.put(Array("keep".utf8), at: victim)
        let pendingChanges = TemporaryName.beside(path, extension: "tmp", SeededEntropy(seed: 5))
        try #require((isLink ? symlink(victim, pendingChanges) : link(victim, pendingChanges)) == 0)
        let real = SystemServices.real
        let services = SystemServices(
            files: real.files, clock: real.clock, entropy: SeededEntropy(seed: 5),
            bootIdentity: real.bootIdentity)
        let error = #expect(throws: StoreError.self) {
            _ = try Store.create(path, services: services)
        }
        #expect(error?.code == .exists)
        #expect(try DatabaseImage.bytes(of: victim) == Array("keep".utf8))
        #expect(folder.names == [PathName.lastComponent(of: pendingChanges), "victim"].sorted())
    }

    @Test("The temporary name is hidden, in the same folder, and unpredictable", .tags(.security))
    func unpredictable() {
        let entropy = SystemServices.real.entropy
        let long = "/srv/" + String(repeating: "n", count: 255)
        for path in ["/srv/a.firn", "a.firn", "folder/a.firn", long] {
            let names = (0..<20).map { _ in
                TemporaryName.beside(path, extension: "tmp", entropy)
            }
            #expect(Set(names).count == 20)
            for name in names {
                #expect(PathName.folder(of: name) == PathName.folder(of: path))
                let last = PathName.lastComponent(of: name)
                #expect(last.hasPrefix(".") && last.utf8.count <= 255, "\(last)")
            }
        }
    }
}
