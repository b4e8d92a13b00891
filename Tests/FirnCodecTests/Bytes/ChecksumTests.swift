import FirnCodec
import Testing

@Suite("Checksum")
struct ChecksumTests {
    /// The buffer of the self-test of the reference implementation.
    private static let sanityBuffer: [UInt8] = {
        var state: UInt64 = 2_654_435_761
        return (0..<222).map { _ in
            defer { state &*= 11_400_714_785_074_694_797 }
            return UInt8(state >> 56)
        }
    }()

    @Test(
        "The checksums match the vectors of the reference implementation",
        arguments: [
            (0, 0, 0xEF46_DB37_51D8_E999), (0, 2_654_435_761, 0xAC75_FDA2_929B_17EF),
            (1, 0, 0xE934_A84A_DB05_2768), (1, 2_654_435_761, 0x5014_6076_43A9_B4C3),
            (14, 0, 0x8282_DCC4_994E_35C8), (14, 2_654_435_761, 0xC3BD_6BF6_3DEB_6DF0),
            (222, 0, 0xB641_AE8C_B691_C174), (222, 2_654_435_761, 0x20CB_8AB7_AE10_C14A),
        ] as [(Int, UInt64, UInt64)])
    func vectors(length: Int, seed: UInt64, expected: UInt64) {
        let sum = Self.sanityBuffer[..<length].withUnsafeBytes { Checksum.xxh64($0, seed: seed) }
        #expect(sum == expected)
    }

    @Test("Well-known strings have their well-known checksums")
    func texts() {
        func sum(_ text: String, _ seed: UInt64 = 0) -> UInt64 {
            Array(text.utf8).withUnsafeBytes { Checksum.xxh64($0, seed: seed) }
        }
        #expect(sum("a") == 0xD24E_C4F1_A98C_6E5B)
        #expect(sum("abc") == 0x44BC_2CF5_AD77_0999)
        #expect(sum("xxhash") == 0x32DD_3895_2C4B_C720)
        #expect(sum("xxhash", 20_141_025) == 0xB559_B98D_844E_0635)
    }
}
