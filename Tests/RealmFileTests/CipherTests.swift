import CCrypto
import Testing

/// The two algorithms of encrypted files, against published values.
@Suite("Ciphers of Realm files")
struct CipherTests {
    private func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }
    }

    @Test("HMAC-SHA224 gives the values of RFC 4231")
    func hmac() {
        var code = [UInt8](repeating: 0, count: 28)
        let message = Array("Hi There".utf8)
        let key = [UInt8](repeating: 0x0B, count: 20)
        #expect(firn_hmac_sha224(key, key.count, message, message.count, &code) != 0)
        #expect(code == bytes("896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"))
    }

    @Test("AES-256-CBC gives the values of NIST SP 800-38A")
    func aes() {
        let key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
        let vector = bytes("000102030405060708090a0b0c0d0e0f")
        let encrypted = bytes(
            "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d")
        var decrypted = [UInt8](repeating: 0, count: 32)
        #expect(firn_aes256_cbc_decrypt(key, vector, encrypted, &decrypted, 32) != 0)
        #expect(
            decrypted
                == bytes("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"))
    }
}
