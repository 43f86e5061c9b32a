"""seen for Conan 2: the C++ library, and with shared_c the C interface as well.

    make archive
    SEEN_ARCHIVE=$PWD/build/seen-0.1.0.tar.gz conan create packaging/conan --build=missing -s compiler.cppstd=20

Conan's own profiles have an older C++, for which the recipe says that it cannot be. Without SEEN_ARCHIVE the sources are those of the release.
"""
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, get, rmdir, unzip


class Seen(ConanFile):
    name = "seen"
    version = "0.1.0"
    description = "Have I seen this before? Bloom filters and their successors"
    license = "Apache-2.0"
    homepage = url = "https://github.com/seenfilter/seen"
    topics = ("bloom-filter", "cuckoo-filter", "ribbon-filter", "probabilistic", "membership")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False], "formats": [True, False], "shared_c": [True, False], "with_tbb": [True, False]}
    default_options = {"fPIC": True, "formats": True, "shared_c": False, "with_tbb": False}

    def requirements(self):
        self.requires("xxhash/[>=0.8.1]", transitive_headers=True)  # its header, which ours include
        if self.options.with_tbb:
            self.requires("onetbb/[>=2021]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        archive = os.environ.get("SEEN_ARCHIVE")
        if archive:
            unzip(self, archive, strip_root=True)
        else:
            get(self, f"{self.homepage}/archive/refs/tags/v{self.version}.tar.gz", strip_root=True)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("CLI", "TESTS", "EXAMPLES", "BENCH", "INTEGRATIONS"):
            toolchain.cache_variables[f"SEEN_BUILD_{part}"] = False
        toolchain.cache_variables["SEEN_BUILD_C"] = bool(self.options.shared_c)
        toolchain.cache_variables["SEEN_WITH_FORMATS"] = bool(self.options.formats)
        toolchain.cache_variables["SEEN_WITH_TBB"] = bool(self.options.with_tbb)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for folder in ("cmake", "pkgconfig"):  # Conan writes its own
            rmdir(self, os.path.join(self.package_folder, "lib", folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "seen")
        library = self.cpp_info.components["library"]
        library.set_property("cmake_target_name", "seen::seen")
        library.set_property("pkg_config_name", "seen")
        library.libs = [":libseen.a"] if self.options.shared_c else ["seen"]  # by its name beside libseen.so
        library.requires = ["xxhash::xxhash"] + (["onetbb::onetbb"] if self.options.with_tbb else [])
        if self.settings.os == "Linux":
            library.system_libs = ["pthread"]
        if self.options.shared_c:
            interface = self.cpp_info.components["c"]
            interface.set_property("cmake_target_name", "seen::c")
            interface.set_property("pkg_config_name", "seen-c")
            interface.libs = [":libseen.so"]
