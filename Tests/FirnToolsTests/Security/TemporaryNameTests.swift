import FirnFormats
import FirnPlatform
import FirnTesting
import FirnTools
import Glibc
import Testing

/// An output is first written to a temporary file beside it, where other users may write, too.
@Suite("The temporary name of an output")
struct TemporaryNameTests {
    private let folder = TemporaryFolder()

    private func services(seed: UInt64) -> SystemServices {
        let real = SystemServices.real
        return SystemServices(
            files: real.files, clock: real.clock, entropy: SeededEntropy(seed: seed),
            bootIdentity: real.bootIdentity)
    }

    @Test(
        "The temporary name is hidden, in the folder of the output, and new each time",
        .tags(.security))
    func unpredictable() {
        let entropy = SystemServices.real.entropy
        let names = (0..<100).map { _ in
            AtomicFile.temporaryPath(beside: folder("out.csv"), entropy)
        }
        #expect(Set(names).count == 100)
        for name in names {
            #expect(PathName.folder(of: name) == folder.path)
            #expect(PathName.lastComponent(of: name).hasPrefix(".firn-"))
        }
        #expect(!AtomicFile.temporaryPath(beside: "out.csv", entropy).contains("/"))
    }

    @Test(
        "A file planted at a predicted temporary name is not written to", .tags(.security),
        arguments: [true, false])
    func planted(isLink: Bool) throws {
        let out = folder("out.csv")
        let pendingChanges = AtomicFile.temporaryPath(beside: out, SeededEntropy(seed: 7))
        let victim = folder("victim")
        try Fixtures.write("keep", to: victim)
        try #require((isLink ? symlink(victim, pendingChanges) : link(victim, pendingChanges)) == 0)
        let error = #expect(throws: PlatformError.self) {
            _ = try AtomicFile(out, .refused, services: services(seed: 7))
        }
        #expect(error?.code == .alreadyExists)
        #expect(try Fixtures.read(victim) == Array("keep".utf8))
        #expect(folder.names == [PathName.lastComponent(of: pendingChanges), "victim"].sorted())
    }

    @Test(
        "The temporary file is accessible only to its owner until it is renamed", .tags(.security))
    func mode() throws {
        try Fixtures.write("old", to: folder("out.csv"))
        try #require(chmod(folder("out.csv"), 0o600) == 0)
        let file = try AtomicFile(folder("out.csv"), .replaced, services: services(seed: 3))
        let temporary = AtomicFile.temporaryPath(beside: folder("out.csv"), SeededEntropy(seed: 3))
        var status = stat()
        try #require(lstat(temporary, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        file.abandon()
        #expect(folder.names == ["out.csv"])
        #expect(try Fixtures.read(folder("out.csv")) == Array("old".utf8))
    }
}
