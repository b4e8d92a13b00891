import FirnPlatform
import FirnTesting
import Testing

@testable import FirnPlatform

@Suite("Volumes")
struct VolumeTests {
    @Test("A temporary folder is local, and so are missing files in it")
    func local() throws {
        let folder = TemporaryFolder()
        let files = SystemFileSystem()
        #expect(try files.volume(of: folder("x")) == .local)
        #expect(try files.volume(of: "x") == .local, "a bare name lies in the folder we are in")
        #expect(code { _ = try files.volume(of: folder("none/x")) } == .notFound)
        #expect(code { _ = try files.volume(of: "x\0") } == .invalidPath)
    }

    @Test(
        "Network and host file systems are recognized by their numbers",
        arguments: [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997] as [UInt32])
    func network(type: UInt32) {
        #expect(VolumeKind(systemType: type) == .network)
    }

    @Test(
        "Disks, memory file systems and overlays are local",
        arguments: [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1]
            as [UInt32])
    func disks(type: UInt32) {
        #expect(VolumeKind(systemType: type) == .local)
    }
}
